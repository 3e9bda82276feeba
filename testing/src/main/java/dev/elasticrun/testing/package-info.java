/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tests of programs that elastic-run starts: real agents and worker JVMs on this host, faults, and a JUnit 5 extension.
 *
 * <pre>{@code
 * import dev.elasticrun.testing.ElasticRun;
 * import dev.elasticrun.testing.ElasticRunTest;
 * import dev.elasticrun.testing.RunResult;
 * import java.nio.file.Path;
 * import java.time.Duration;
 *
 * final class KilledWorkerTest {
 *     @ElasticRunTest(nodes = 2, workersPerNode = 1)
 *     void workerIsKilled_runGoesOnToItsEnd(ElasticRun run) {
 *         run.start(Path.of("target/train.jar"), "--epochs", "3");
 *         run.awaitWorld(2);
 *
 *         run.worker(1).kill();
 *
 *         RunResult result = run.awaitEnd(Duration.ofSeconds(60));
 *         if (result.exitCode() != 0) {
 *             throw new AssertionError(result.output(0));
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>{@link dev.elasticrun.testing.ElasticRunTest} is the begin, {@link dev.elasticrun.testing.ElasticRun} has the rest.
 */
@NullMarked
package dev.elasticrun.testing;

import org.jspecify.annotations.NullMarked;
