/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A small shell beside the agent that knows the process groups of the workers. It delivers signals, which a JVM cannot
 * send to groups, and when its input ends without {@code quit}, because the agent was killed, it kills all groups and
 * removes the agent's run directory. One thread owns an instance.
 */
final class Guard implements AutoCloseable {

    /** Name of the variable that marks a process whose group the agent could not register yet. */
    static final String SPAWN_MARK = "ELASTIC_SPAWN_MARK";

    // Signals to the agent's terminal or group must not end the guard before the agent. kill takes "-s NAME --" since
    // dash reads "-NAME -- -id" as a number. The directory is removed only if it looks like one of ours.
    private static final String SCRIPT = """
            trap '' HUP INT QUIT TERM PIPE
            directory=$1
            groups=' '
            mark=
            while read -r order id; do
                case $order in
                +) groups="$groups$id "; mark= ;;
                -) case $groups in *" $id "*) groups="${groups%%" $id "*} ${groups#*" $id "}" ;; esac ;;
                '!') mark=$id ;;
                '?') if kill -s 0 -- "-$id" 2>/dev/null; then echo "alive $id"; else echo "gone $id"; fi ;;
                quit) exit 0 ;;
                *) kill -s "$order" -- "-$id" 2>/dev/null ;;
                esac
            done
            for id in $groups; do kill -s KILL -- "-$id" 2>/dev/null; done
            if [ -n "$mark" ]; then
                for try in 1 2 3 4 5 6 7 8 9 10; do
                    for file in $(grep -lsz -- "^ELASTIC_SPAWN_MARK=$mark\\$" /proc/[0-9]*/environ); do
                        id=${file#/proc/}
                        id=${id%/environ}
                        kill -s KILL -- "-$id" 2>/dev/null || kill -s KILL "$id" 2>/dev/null
                    done
                    sleep 0.02
                done
            fi
            case $directory in
            */../*|*/..|*/./*|*/.) exit 0 ;;
            /*/elastic-run-[0-9]*/?*/?*) ;;
            *) exit 0 ;;
            esac
            if [ -L "$directory" ] || ! [ -f "$directory/lock" ]; then exit 0; fi
            for try in 1 2 3 4 5 6 7 8 9 10; do
                rm -rf -- "$directory" 2>/dev/null
                if ! [ -e "$directory" ]; then break; fi
                sleep 0.02
            done
            incarnation=${directory%/*}
            rmdir -- "$incarnation" "${incarnation%/*}" 2>/dev/null
            """;

    /** Signal 0 found no process of the group, or one. */
    record Answer(long group, boolean gone) {}

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

    /** Starts a guard; {@code setsid} is the program of that name. */
    static Guard start(Path setsid, Path runDirectory) throws IOException {
        return new Guard(command(setsid, runDirectory).start());
    }

    static ProcessBuilder command(Path setsid, Path runDirectory) {
        ProcessBuilder builder =
                new ProcessBuilder(setsid.toString(), "sh", "-c", SCRIPT, "elastic-run-guard", runDirectory.toString());
        String path = builder.environment().getOrDefault("PATH", "/usr/bin:/bin");
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.directory(Path.of("/").toFile());
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        return builder;
    }

    long pid() {
        return process.pid();
    }

    CompletableFuture<Process> exit() {
        return process.onExit();
    }

    /** From now to the next call of this or of {@link #register}, a process with the mark may exist unregistered. */
    void spawning(String mark) throws IOException {
        send("! " + mark);
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

    /** Asks whether a process of the group exists; {@link #answers} has it soon. */
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
