/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.agent.process.TestJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Asks real processes for their threads; whoever would end by being asked is not. */
@Timeout(60)
final class WorkerThreadsIT {
    @TempDir
    private Path directory;

    private @Nullable Process process;

    @AfterEach
    void end() throws Exception {
        if (process != null) {
            process.destroyForcibly().waitFor();
            Files.deleteIfExists(TestJvm.attachSocket(process));
        }
    }

    /** A JVM that reports when it is up, and then waits. */
    static final class Waiter {
        private Waiter() {}

        public static void main(String[] arguments) throws IOException {
            System.out.println("up");
            System.in.read();
        }
    }

    @Test
    void dump_aJvm_printsItsThreadsAndGoesOn() throws Exception {
        Process jvm = java();

        assertThat(WorkerThreads.dump(jvm.pid(), stdout()))
                .startsWith("Full thread dump")
                .contains("\"main\"", "Waiter.main");
        assertThat(jvm.isAlive()).isTrue();
    }

    @Test
    void dump_aJvmThatDoesNotListenToSignals_isNotAsked() throws Exception {
        Process jvm = java("-Xrs");

        assertRefused(jvm, "(java) is no JVM that prints its threads");
    }

    @Test
    void dump_anotherProgram_isNotAsked() throws Exception {
        Process sleep = start(List.of("sleep", "60"));

        assertRefused(sleep, "(sleep) is no JVM that prints its threads (expected: a worker that the agent starts");
    }

    @Test
    void dump_aStoppedJvm_isNotAsked() throws Exception {
        Process jvm = java();
        assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(jvm.pid()))
                        .start()
                        .waitFor())
                .isZero();
        await().atMost(10, SECONDS).until(() -> HangReport.isStopped(jvm.pid()));

        assertRefused(jvm, "(java) is stopped (SIGSTOP) and cannot answer");
    }

    @Test
    void dump_aProcessThatEnded_isReported() {
        assertThatIOException()
                .isThrownBy(() -> WorkerThreads.dump(Integer.MAX_VALUE, stdout()))
                .withMessage("process " + Integer.MAX_VALUE + " has ended");
    }

    private void assertRefused(Process asked, String why) {
        assertThatIOException()
                .isThrownBy(() -> WorkerThreads.dump(asked.pid(), stdout()))
                .withMessageStartingWith("process " + asked.pid() + " ")
                .withMessageContaining(why);
        assertThat(asked.isAlive()).isTrue();
    }

    private Process java(String... options) throws IOException {
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-XX:TieredStopAtLevel=1");
        Process jvm = start(TestJvm.command(all, Waiter.class));
        await().atMost(30, SECONDS).until(() -> Files.readString(stdout()).contains("up"));
        return jvm;
    }

    private Process start(List<String> command) throws IOException {
        Process started = new ProcessBuilder(command)
                .redirectOutput(stdout().toFile())
                .redirectErrorStream(true)
                .start();
        process = started;
        return started;
    }

    private Path stdout() {
        return directory.resolve("stdout.log");
    }
}
