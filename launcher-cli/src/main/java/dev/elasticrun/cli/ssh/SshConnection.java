/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.ssh;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** A process of ssh and the agent at its other end. Thread-safe. */
final class SshConnection {
    private final String host;
    private final Process process;
    private final Thread output;
    private final Thread errors;
    private volatile boolean reached;
    private volatile boolean ended;

    /** How one ended. */
    enum End {
        /** The agent ended, with an exit code. */
        AGENT,
        UNREACHED,
        LOST
    }

    /**
     * An end and its exit code.
     *
     * @param code of the agent, or of ssh
     */
    record Ended(End end, int code) {}

    private SshConnection(String host, Process process, Consumer<String> out, Consumer<String> err) {
        this.host = host;
        this.process = process;
        output = reader("ssh-output", process.getInputStream(), out);
        errors = reader("ssh-errors", process.getErrorStream(), line -> {
            switch (line) {
                case SshPlan.REACHED -> reached = true;
                case SshPlan.ENDED -> ended = true;
                default -> err.accept(line);
            }
        });
    }

    /**
     * Starts one.
     *
     * @param host its name
     * @param command ssh with all of its arguments
     * @param key the first line of its input
     * @param out receives lines of its output, on a thread of their own
     * @param err receives lines of its errors, on a thread of their own
     * @throws IOException if the command cannot be executed
     */
    static SshConnection start(
            String host, List<String> command, String key, Consumer<String> out, Consumer<String> err)
            throws IOException {
        SshConnection connection = new SshConnection(host, new ProcessBuilder(command).start(), out, err);
        connection.write(key);
        return connection;
    }

    String host() {
        return host;
    }

    /** Has a signal sent to the agent; no effect once it has ended. */
    void signal(String name) {
        write(name);
    }

    /** Waits for its end, and until all output was received. */
    Ended await() throws InterruptedException {
        int code = process.waitFor();
        output.join();
        errors.join();
        if (ended) {
            return new Ended(End.AGENT, code);
        }
        return new Ended(reached ? End.LOST : End.UNREACHED, code);
    }

    private synchronized void write(String line) {
        try {
            OutputStream input = process.getOutputStream();
            input.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            input.flush();
        } catch (IOException closed) {
            // What it printed has the reason.
        }
    }

    private static Thread reader(String name, InputStream from, Consumer<String> lines) {
        Thread thread = new Thread(() -> read(from, lines), name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void read(InputStream from, Consumer<String> lines) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.accept(line);
            }
        } catch (IOException closed) {
            // It ends with its process.
        }
    }
}
