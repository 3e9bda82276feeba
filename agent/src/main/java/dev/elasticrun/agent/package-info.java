/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Starts the agent of a node from Java.
 *
 * <pre>{@code
 * import dev.elasticrun.agent.ElasticLauncher;
 * import dev.elasticrun.agent.LaunchResult;
 * import dev.elasticrun.agent.launch.LaunchConfig;
 * import java.util.List;
 *
 * public final class Launch {
 *     public static void main(String[] args) throws InterruptedException {
 *         LaunchConfig config = LaunchConfig.builder("train.jar")
 *                 .arguments(List.of("--epochs", "3"))
 *                 .standalone(true)
 *                 .nprocPerNode(4)
 *                 .restartPolicy("soft-elastic")
 *                 .build();
 *         LaunchResult result = ElasticLauncher.launch(config);
 *         result.workers().forEach(worker -> System.out.println(worker.rank() + " ended with " + worker.exitCode()));
 *         System.out.println(result.reason());
 *     }
 * }
 * }</pre>
 *
 * <p>{@link dev.elasticrun.agent.ElasticLauncher} does what the command {@code elastic-run} does; the configuration is in
 * {@code dev.elasticrun.agent.launch}. All else in this package is what an agent consists of.
 */
@NullMarked
package dev.elasticrun.agent;

import org.jspecify.annotations.NullMarked;
