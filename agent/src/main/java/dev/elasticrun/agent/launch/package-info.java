/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a run is to be like, for programs that start agents: settings by groups, their checks, and how agents end.
 *
 * <pre>{@code
 * import dev.elasticrun.agent.launch.LaunchConfig;
 * import dev.elasticrun.agent.launch.LaunchConfigException;
 * import java.time.Duration;
 * import java.util.List;
 *
 * public final class Configure {
 *     public static void main(String[] args) {
 *         try {
 *             LaunchConfig config = LaunchConfig.builder(args[0])
 *                     .nnodes(2, 4)
 *                     .nprocPerNode(2)
 *                     .runId("nightly")
 *                     .rdzvEndpoints(List.of("etcd.example:2379"))
 *                     .maxRestarts(3, Duration.ofHours(1))
 *                     .build();
 *             System.out.println(config.size());
 *         } catch (LaunchConfigException e) {
 *             // A line for each setting that cannot be used: its flag, its value, and what was expected.
 *             System.err.println(e.getMessage());
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>{@link dev.elasticrun.agent.launch.LaunchConfigBuilder} checks everything before anything starts.
 * {@code dev.elasticrun.agent.ElasticLauncher} runs the result.
 */
@NullMarked
package dev.elasticrun.agent.launch;

import org.jspecify.annotations.NullMarked;
