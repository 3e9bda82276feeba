/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads of a JVM as it prints them on SIGQUIT.
 *
 * @param text all of it; empty = the JVM printed nothing
 */
record ThreadDump(String text) {
    private static final String BEGIN = "Full thread dump";
    private static final String END = "JNI global ref";
    private static final String DEADLOCK = "Java-level deadlock";
    private static final int MAX_BYTES = 4 << 20;
    private static final int MAX_FRAMES = 40;
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Asks the process and waits for what appears in its log; takes 3 s if nothing does. */
    static ThreadDump take(long pid, Path stdout) throws IOException, InterruptedException {
        long from = Files.exists(stdout) ? Files.size(stdout) : 0;
        Process kill = new ProcessBuilder("kill", "-QUIT", Long.toString(pid)).start();
        if (!kill.waitFor(WAIT_NANOS, TimeUnit.NANOSECONDS) || kill.exitValue() != 0) {
            return new ThreadDump("");
        }
        long deadline = System.nanoTime() + WAIT_NANOS;
        String found = "";
        boolean isWhole = false;
        while (!isWhole && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(POLL_NANOS);
            String now = read(stdout, from);
            // After the threads come deadlocks and the heap: it is whole when nothing comes any more.
            isWhole = now.contains(END) && now.equals(found);
            found = now;
        }
        int begin = found.indexOf(BEGIN);
        return new ThreadDump(begin < 0 ? "" : found.substring(begin));
    }

    private static String read(Path file, long from) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long start = channel.size() < from ? 0 : from;
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(MAX_BYTES, channel.size() - start));
            while (bytes.hasRemaining() && channel.read(bytes, start + bytes.position()) >= 0) {
                // Fill the buffer.
            }
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        }
    }

    /** Frames of one thread, innermost first, as in a stack trace. */
    List<String> framesOf(String thread) {
        List<String> frames = new ArrayList<>();
        boolean inside = false;
        for (String line : text.lines().toList()) {
            if (line.startsWith("\"")) {
                if (inside) {
                    break;
                }
                inside = line.startsWith("\"" + thread + "\"");
            } else if (inside && line.startsWith("\t") && frames.size() < MAX_FRAMES) {
                frames.add(line);
            } else if (inside && line.isBlank()) {
                break;
            }
        }
        return frames;
    }

    /** Whether the JVM found threads that wait for each other. */
    boolean hasDeadlock() {
        return text.contains(DEADLOCK);
    }
}
