/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Reads what the threads of a worker do, as its JVM prints it on SIGQUIT: any other program would end by that signal.
 */
public final class WorkerThreads {
    private static final int QUIT = 3;
    private static final int HEXADECIMAL = 16;

    private WorkerThreads() {}

    /**
     * The threads of that process, which runs on. Blocks, for 3 s when the JVM does not answer.
     *
     * @param stdout where its standard output goes
     * @throws IOException when there are none; the message states why
     */
    public static String dump(long pid, Path stdout) throws IOException, InterruptedException {
        requireJvm(pid);
        String text = ThreadDump.take(pid, stdout).text();
        if (text.isEmpty()) {
            throw new IOException("the JVM of process " + pid + " printed no threads within 3 s");
        }
        return text;
    }

    /**
     * Whether that process can be asked by SIGQUIT, as by a tool that attaches to it.
     *
     * @throws IOException when it cannot; the message states why
     */
    public static void requireJvm(long pid) throws IOException {
        Path process = Path.of("/proc/" + pid);
        if (!Files.exists(process)) {
            throw new IOException("process " + pid + " has ended");
        }
        String name = Files.readString(process.resolve("comm"), StandardCharsets.ISO_8859_1)
                .strip();
        if (!isJvm(process) || !answersQuit(process)) {
            throw new IOException("process " + pid + " (" + name
                    + ") is no JVM that prints its threads (expected: a worker that the agent starts with java)");
        }
        if (HangReport.isStopped(pid)) {
            throw new IOException("process " + pid + " (" + name + ") is stopped (SIGSTOP) and cannot answer");
        }
    }

    private static boolean isJvm(Path process) throws IOException {
        try (Stream<String> maps = Files.lines(process.resolve("maps"), StandardCharsets.ISO_8859_1)) {
            return maps.anyMatch(line -> line.endsWith("/libjvm.so"));
        }
    }

    /** A JVM that has just been started does not yet, and one with -Xrs never does: the signal would end it. */
    private static boolean answersQuit(Path process) throws IOException {
        try (Stream<String> status = Files.lines(process.resolve("status"), StandardCharsets.ISO_8859_1)) {
            return status.filter(line -> line.startsWith("SigCgt:"))
                    .map(line -> line.substring("SigCgt:".length()).strip())
                    .anyMatch(mask -> (Long.parseUnsignedLong(mask, HEXADECIMAL) >>> (QUIT - 1) & 1) == 1);
        }
    }
}
