/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A small shell beside the agent that knows the process groups of the workers. It delivers signals, which a JVM cannot
 * send to groups, and when its input ends without {@code quit}, because the agent was killed, it kills all groups and
 * whatever else carries the agent's mark, and removes the agent's directories. One thread owns an instance.
 */
final class Guard implements AutoCloseable {

    /** Signal 0 found no process of the group, or one. */
    record Answer(long group, boolean gone) {}

    /** Their answers, of 30 bytes at most, fit into a pipe of one page. */
    private static final int MAX_UNANSWERED = 128;

    private final Process process;
    private final OutputStream orders;
    private final InputStream answers;
    private final StringBuilder partial = new StringBuilder();
    private long unanswered;

    private Guard(Process process) {
        this.process = process;
        this.orders = process.getOutputStream();
        this.answers = process.getInputStream();
    }

    static Guard start(GuardCommand command) throws IOException {
        return new Guard(command.builder().start());
    }

    long pid() {
        return process.pid();
    }

    CompletableFuture<Process> exit() {
        return process.onExit();
    }

    /** Until the next call of this or of {@link #register}, a process of ours may exist unregistered. */
    void spawning(boolean underWay) throws IOException {
        send("! " + (underWay ? "yes" : ""));
    }

    void register(long group) throws IOException {
        send("+ " + group);
    }

    void unregister(long group) throws IOException {
        send("- " + group);
    }

    void signal(GroupSignal signal, long group) throws IOException {
        send(signal.name() + " " + group);
    }

    /**
     * Whether another question may be sent. The number of due answers is limited so that they fit into the pipe: the
     * guard never waits for the agent to read, and so the agent never waits for the guard.
     */
    boolean mayAsk() {
        return unanswered < MAX_UNANSWERED;
    }

    /** Asks whether a process of the group exists; {@link #answers} receives the reply. */
    void ask(long group) throws IOException {
        unanswered++;
        send("? " + group);
    }

    /** Answers that came since the last call. Never blocks. */
    List<Answer> answers() throws IOException {
        int available = answers.available();
        if (available > 0) {
            partial.append(new String(answers.readNBytes(available), StandardCharsets.US_ASCII));
        }
        List<Answer> complete = new ArrayList<>();
        int end;
        while ((end = partial.indexOf("\n")) >= 0) {
            String line = partial.substring(0, end);
            partial.delete(0, end + 1);
            unanswered--;
            int space = line.indexOf(' ');
            complete.add(new Answer(Long.parseLong(line.substring(space + 1)), line.startsWith("gone")));
        }
        return complete;
    }

    /** Whether an answer is due. */
    boolean owesAnswer() {
        return unanswered > 0;
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Ends the guard without harm to the groups or the directory. */
    @Override
    public void close() {
        try {
            send("quit");
            orders.close();
        } catch (IOException gone) {
            // It is dead already, which is what was asked for.
        }
        try {
            if (!process.waitFor(1, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void send(String order) throws IOException {
        orders.write((order + "\n").getBytes(StandardCharsets.US_ASCII));
        orders.flush();
    }
}
