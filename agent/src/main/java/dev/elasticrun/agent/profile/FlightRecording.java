/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.profile;

import dev.elasticrun.agent.hang.WorkerThreads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A recording by the flight recorder of another JVM, which runs on: started and stopped by {@code jcmd}, with the settings
 * {@code profile}. Methods block, for 10 s when the JVM does not answer.
 */
public final class FlightRecording {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    // The recording ends by itself if nobody stops it.
    private static final Duration RESERVE = Duration.ofSeconds(20);
    private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

    private final long pid;
    private final Path file;
    private final String name;
    private final Path socket;

    /** @param file where the recording is written; one that is there is replaced */
    public FlightRecording(long pid, Path file) {
        this.pid = pid;
        this.file = file.toAbsolutePath();
        this.name = "elastic-run-" + ProcessHandle.current().pid();
        // Where HotSpot listens once a tool has attached: a process that is killed leaves it.
        this.socket = Path.of("/proc/" + pid + "/root/tmp/.java_pid" + pid);
    }

    /**
     * Begins to record.
     *
     * @throws IOException when it cannot; the message states why
     */
    public void start(Duration length) throws IOException, InterruptedException {
        if (!Files.isExecutable(JCMD)) {
            throw new IOException(JCMD + ": not found (expected: an agent that runs on a JDK)");
        }
        WorkerThreads.requireJvm(pid);
        Duration atMost = length.plus(RESERVE);
        Files.deleteIfExists(file);
        // A recording of limited length that has no file is given one in the worker's directory.
        jcmd(
                "JFR.start",
                "name=" + name,
                "settings=profile",
                "duration=" + atMost.toSeconds() + "s",
                "filename=" + file);
    }

    /**
     * Stops and writes the file.
     *
     * @throws IOException when there is none, as when the process has ended
     */
    public Path stop() throws IOException, InterruptedException {
        WorkerThreads.requireJvm(pid);
        jcmd("JFR.stop", "name=" + name);
        if (!Files.exists(file)) {
            throw new IOException("the JVM of process " + pid + " did not write " + file);
        }
        return file;
    }

    private void jcmd(String... words) throws IOException, InterruptedException {
        boolean isOfOthers = Files.exists(socket);
        try {
            run(words);
        } finally {
            if (!isOfOthers) {
                Files.deleteIfExists(socket);
            }
        }
    }

    private void run(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(JCMD.toString(), Long.toString(pid)));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // What is meant for workers.
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"));
        Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly();
            throw new IOException("the JVM of process " + pid + " did not answer " + words[0] + " within "
                    + LIMIT.toSeconds() + " s");
        }
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        // Errors of a command come with 0, too.
        if (process.exitValue() != 0 || printed.contains("Could not") || printed.contains("Exception")) {
            throw new IOException("the JVM of process " + pid + " refused " + words[0] + ": " + lastLine(printed));
        }
    }

    private static String lastLine(String text) {
        return text.substring(text.lastIndexOf('\n') + 1);
    }
}
