/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Sends signals to processes and waits for their effect. Any thread. */
final class Signals {
    private static final Duration EFFECT = Duration.ofSeconds(20);

    private Signals() {}

    /** SIGKILL; returns when the process has ended. */
    static void kill(ProcessHandle process) {
        process.destroyForcibly();
        awaitEnd(process);
    }

    static void awaitEnd(ProcessHandle process) {
        Patience.until(
                "end of process " + process.pid() + " after SIGKILL",
                EFFECT,
                () -> !Processes.isRunning(process),
                () -> "it still runs");
    }

    /** SIGSTOP; returns when no thread of the process runs. */
    static void stop(ProcessHandle process) {
        send("STOP", process);
        Patience.until(
                "stop of process " + process.pid() + " after SIGSTOP",
                EFFECT,
                () -> Processes.isStopped(process) || !Processes.isRunning(process),
                () -> "some of its threads still run");
    }

    /** SIGCONT. */
    static void resume(ProcessHandle process) {
        send("CONT", process);
    }

    private static void send(String name, ProcessHandle process) {
        try {
            Process kill = new ProcessBuilder("kill", "-s", name, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!kill.waitFor(EFFECT.toSeconds(), TimeUnit.SECONDS) || kill.exitValue() != 0) {
                kill.destroyForcibly();
                throw new IllegalStateException(
                        "cannot send SIG" + name + " to process " + process.pid() + " (expected: it runs)");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run kill", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
