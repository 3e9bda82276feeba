/* SPDX-License-Identifier: Apache-2.0 */
/**
 * SPI that prepares a framework around each round, and the lookup of its implementations.
 *
 * <pre>{@code
 * package example;
 *
 * import dev.elasticrun.agent.runtime.FrameworkRuntime;
 * import dev.elasticrun.agent.runtime.FrameworkRuntimeProvider;
 * import dev.elasticrun.agent.runtime.PreparedRound;
 * import dev.elasticrun.agent.runtime.RuntimeRound;
 * import java.util.Map;
 * import java.util.Set;
 *
 * public final class Leader implements FrameworkRuntimeProvider {
 *     @Override
 *     public String name() {
 *         return "leader";
 *     }
 *
 *     @Override
 *     public FrameworkRuntime create(String option) {
 *         return new FrameworkRuntime() {
 *             @Override
 *             public Set<String> reservedNames() {
 *                 return Set.of("LEADER");
 *             }
 *
 *             @Override
 *             public PreparedRound open(RuntimeRound round) {
 *                 String leader = round.masterAddress() + ":" + round.masterPort();
 *                 return rank -> Map.of("LEADER", leader);
 *             }
 *         };
 *     }
 * }
 * }</pre>
 *
 * <p>The jar has {@code example.Leader} as a line of {@code
 * META-INF/services/dev.elasticrun.agent.runtime.FrameworkRuntimeProvider}; {@code elastic-run --policy-path leader.jar --runtime
 * leader} uses it. Workers find the value in {@code WorkerInfo.runtime()}.
 */
@NullMarked
package dev.elasticrun.agent.runtime;

import org.jspecify.annotations.NullMarked;
