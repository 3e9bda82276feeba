/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.elasticrun.agent.process.TestJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records a real JVM; one that would end by being asked is not. */
@Timeout(90)
final class FlightRecordingIT {
    private static final Duration LENGTH = Duration.ofSeconds(2);

    @TempDir
    private Path directory;

    private @Nullable Process process;

    @AfterEach
    void end() throws Exception {
        if (process != null) {
            // Asked, as one that is killed leaves the directory of its recorder in /tmp.
            process.destroy();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            Files.deleteIfExists(TestJvm.attachSocket(process));
        }
    }

    /** Prints that it is up, then computes, and prints again and again. */
    static final class Busy {
        private Busy() {}

        public static void main(String[] arguments) {
            double sum = 0;
            for (long i = 1; ; i++) {
                sum = spin(sum);
                if (i % 200 == 1) {
                    System.out.println(sum);
                }
            }
        }

        static double spin(double from) {
            double sum = from;
            for (int i = 1; i < 1000; i++) {
                sum += Math.sqrt(i + sum);
            }
            return sum;
        }
    }

    @Test
    void recording_ofABusyJvm_hasItsStacks_andItRunsOn() throws Exception {
        Process busy = java();
        BufferedReader output = busy.inputReader();
        output.readLine();
        Path file = Files.writeString(directory.resolve("profile.jfr"), "an older one");
        FlightRecording recording = new FlightRecording(busy.pid(), file);

        recording.start(LENGTH);
        long end = System.nanoTime() + LENGTH.toNanos();
        while (System.nanoTime() - end < 0) {
            assertThat(output.readLine()).isNotNull();
        }
        FoldedStacks stacks = FoldedStacks.read(recording.stop(), 100_000);

        assertThat(stacks.text())
                .startsWith("java;")
                .contains("FlightRecordingIT$Busy.main;")
                .contains("FlightRecordingIT$Busy.spin ");
        assertThat(stacks.samples()).isGreaterThan(10);
        assertThat(busy.isAlive()).isTrue();
        assertThat(TestJvm.attachSocket(busy)).doesNotExist();
        recording.start(LENGTH);
        assertThat(recording.stop()).isEqualTo(file).isNotEmptyFile();
        assertThat(directory).isDirectoryNotContaining(found -> !found.equals(file));
        assertThat(TestJvm.attachSocket(busy)).doesNotExist();
    }

    @Test
    void stop_thatWasNotStarted_isRefusedWithTheAnswerOfTheJvm() throws Exception {
        Process busy = java();
        busy.inputReader().readLine();

        assertThatIOException()
                .isThrownBy(() -> new FlightRecording(busy.pid(), directory.resolve("profile.jfr")).stop())
                .withMessageStartingWith("the JVM of process " + busy.pid() + " refused JFR.stop: ");
        assertThat(TestJvm.attachSocket(busy)).doesNotExist();
    }

    @Test
    void start_ofAJvmThatDoesNotListenToSignals_isRefused_andItRunsOn() throws Exception {
        Process deaf = java("-Xrs");
        deaf.inputReader().readLine();

        assertThatIOException()
                .isThrownBy(() -> new FlightRecording(deaf.pid(), directory.resolve("profile.jfr")).start(LENGTH))
                .withMessageContaining("is no JVM that prints its threads");
        assertThat(deaf.isAlive()).isTrue();
    }

    private Process java(String... options) throws IOException {
        // Compiled code is inlined, and a sample of it is found in the caller.
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-Xint");
        Process jvm = new ProcessBuilder(TestJvm.command(all, Busy.class))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        process = jvm;
        return jvm;
    }
}
