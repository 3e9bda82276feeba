/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.contract.ErrorReport;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEnv;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A worker in a JVM of its own, with nothing but this module on its class path. */
@Timeout(60)
final class ZeroDependencyTest {
    @TempDir
    private Path node;

    /** The program that the child runs; it may use the JDK and the module only. */
    public static final class Program {
        private Program() {}

        public static void main(String[] args) {
            Collective collective = ElasticRuntime.join();
            long[] values = {41};
            collective.allReduce(values, ReduceOp.SUM);
            collective.checkpoint(new byte[] {1, 2, 3});
            ElasticRuntime.progress(1, 1);
            if (args.length > 0) {
                throw new IllegalArgumentException("on purpose: " + args[0]);
            }
            collective.close();
            System.out.println("sum " + values[0] + " version " + collective.version());
        }
    }

    @Test
    void child_withOnlyThisModule_worksAndEndsAtOnce() throws Exception {
        try (TestAgent agent = new TestAgent(node, 0)) {
            agent.pause(0);
            agent.work(1, 0, 1);
            agent.peers(1, 4711);
            Process process = start(agent);
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readString(node.resolve("out"))).isEqualTo("sum 41 version 1\n");
            assertThat(process.exitValue()).isZero();
            assertThat(agent.up(UpMessage.Resumed.class)).hasSize(1);
            assertThat(agent.up(UpMessage.Progress.class)).containsExactly(new UpMessage.Progress(1, 1, 1));
        }
    }

    @Test
    void child_uncaughtException_isReportedBeforeTheEnd() throws Exception {
        try (TestAgent agent = new TestAgent(node, 0)) {
            agent.pause(0);
            agent.work(1, 0, 1);
            agent.peers(1, 4711);
            Process process = start(agent, "boom");
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
            ErrorReport report = ErrorReport.decode(Files.readAllBytes(node.resolve("error.json")));
            assertThat(report.message()).isEqualTo("java.lang.IllegalArgumentException: on purpose: boom");
            assertThat(report.round()).isEqualTo(1);
            assertThat(agent.up(UpMessage.Failure.class)).singleElement().matches(failure -> failure.message()
                    .equals(report.message()));
            assertThat(Files.readString(node.resolve("out"))).contains("Exception in thread \"main\"", "boom");
        }
    }

    private Process start(TestAgent agent, String... arguments) throws IOException, URISyntaxException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                location(ElasticRuntime.class) + File.pathSeparator + onlyProgram(),
                Program.class.getName());
        builder.command().addAll(List.of(arguments));
        builder.environment().putAll(agent.environment());
        builder.environment()
                .put(WorkerEnv.ERROR_FILE, node.resolve("error.json").toString());
        builder.redirectErrorStream(true);
        builder.redirectOutput(node.resolve("out").toFile());
        return builder.start();
    }

    /** A directory with the one class, so that nothing else of the tests can be found. */
    private Path onlyProgram() throws IOException, URISyntaxException {
        String name = Program.class.getName().replace('.', '/') + ".class";
        Path target = node.resolve("classes").resolve(name);
        Files.createDirectories(target.getParent());
        Files.copy(location(Program.class).resolve(name), target);
        return node.resolve("classes");
    }

    private static Path location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
