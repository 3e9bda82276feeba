/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts processes at a low priority and gives it back to them later. Two things of the kernel have a niceness: a process,
 * which is changed by {@code nice} and {@code renice}, and a session, see {@link SessionNiceness}; where sessions have one,
 * that of a process only counts against other processes of its session, and each worker is a session of its own. Processes
 * without rights can lower the priority of a process and not raise it again: where that is so, only that of the session is
 * lowered. Owned by one thread.
 */
final class LowPriority {
    private static final Logger LOG = LoggerFactory.getLogger(LowPriority.class);
    private static final int NICER = 10;

    private final SessionNiceness sessions = new SessionNiceness(Path.of("/proc"));
    private @Nullable List<String> lower;
    private List<String> renice = List.of();

    /**
     * The words before a command that is to run at a low priority, in a session of its own; none where it could not be raised
     * again.
     */
    List<String> prefix() {
        List<String> known = lower;
        if (known == null) {
            known = probe();
            lower = known;
        }
        return known;
    }

    /** Gives all threads of a process group, which is a session, the priority of this process. Waits until it is done. */
    void raise(long group) {
        if (!renice.isEmpty()) {
            List<String> command = new ArrayList<>(renice);
            command.addAll(List.of("-g", Long.toString(group)));
            if (!ShortCommand.succeeds(command)) {
                LOG.warn("pid={} keeps its low priority: renice failed", group);
            }
        }
        sessions.raise(group);
    }

    private List<String> probe() {
        List<String> words = new ArrayList<>();
        try {
            String shell = find("sh");
            words.addAll(sessions.lowering(shell, NICER));
            String nice = find("nice");
            List<String> back = List.of(find("renice"), "-n", Integer.toString(ProcessTable.niceness()));
            // The shell is a process with an id of its own, as a worker is.
            List<String> trial = new ArrayList<>(List.of(nice, "-n", "1", shell, "-c", "exec \"$@\" -p $$", shell));
            trial.addAll(back);
            if (ShortCommand.succeeds(trial)) {
                renice = back;
                words.addAll(List.of(nice, "-n", Integer.toString(NICER)));
            } else {
                LOG.debug("no low priority of processes: it cannot be raised again");
            }
        } catch (IOException e) {
            LOG.debug("no low priority of processes: {}", e.getMessage());
        }
        return List.copyOf(words);
    }

    private static String find(String program) throws IOException {
        return Programs.find(program, System.getenv(), Path.of("/")).toString();
    }
}
