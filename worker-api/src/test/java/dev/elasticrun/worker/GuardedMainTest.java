/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.ErrorReport;
import dev.elasticrun.worker.contract.WorkerEnv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs in JVMs of their own that end in every way, without any agent. */
@Timeout(60)
final class GuardedMainTest {
    @TempDir
    private Path directory;

    /** What the child runs: how it ends is its argument. */
    public static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            ElasticRuntime.main(() -> {
                // Never ends by itself.
                new Thread(Program::waitForEver).start();
                switch (arguments[0]) {
                    case "throws" -> throw new IOException("disk full");
                    case "error" -> throw new StackOverflowError("deep");
                    default -> System.exit(Integer.parseInt(arguments[0]));
                }
            });
        }

        private static void waitForEver() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void e4_programThrows_isReportedAndEndsWithOneAlthoughAThreadIsLeft() throws Exception {
        assertThat(run("throws", file())).isEqualTo(1);

        ErrorReport report = ErrorReport.decode(Files.readAllBytes(file()));
        assertThat(report.message()).isEqualTo("java.io.IOException: disk full");
        assertThat(report.stack()).contains("GuardedMainTest$Program");
        assertThat(report.thread()).isEqualTo("main");
        assertThat(Files.readString(directory.resolve("out"))).contains("java.io.IOException: disk full");
    }

    @Test
    void e4_programExitsByItself_leavesNoFile() throws Exception {
        assertThat(run("0", file())).isZero();
        assertThat(run("1", file())).isEqualTo(1);
        assertThat(file()).doesNotExist();
    }

    @Test
    void e6_fileCannotBeWritten_isOnlyAWarning() throws Exception {
        assertThat(run("error", directory.resolve("missing/error.json"))).isEqualTo(1);

        assertThat(Files.readString(directory.resolve("out"))).contains("java.lang.StackOverflowError: deep");
    }

    private int run(String argument, Path errorFile) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                argument));
        builder.environment().put(WorkerEnv.ERROR_FILE, errorFile.toString());
        builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    private Path file() {
        return directory.resolve("error.json");
    }
}
