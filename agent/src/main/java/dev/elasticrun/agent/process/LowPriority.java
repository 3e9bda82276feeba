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
 * Starts processes at a low priority and gives it back to them later, by {@code nice} and {@code renice}. Processes without
 * rights can lower their priority and not raise it again: where that is so, none is lowered. Owned by one thread.
 */
final class LowPriority {
    private static final Logger LOG = LoggerFactory.getLogger(LowPriority.class);
    private static final int NICER = 10;

    private @Nullable List<String> lower;
    private List<String> raise = List.of();

    /** The words before a command that is to run at a low priority; none where it could not be raised again. */
    List<String> prefix() {
        List<String> known = lower;
        if (known == null) {
            known = probe();
            lower = known;
        }
        return known;
    }

    /** Gives all threads of a process group the priority of this process. Waits for the end of {@code renice}. */
    void raise(long group) {
        if (!raise.isEmpty()) {
            List<String> command = new ArrayList<>(raise);
            command.addAll(List.of("-g", Long.toString(group)));
            if (!Trial.succeeds(command)) {
                LOG.warn("pid={} keeps its low priority: renice failed", group);
            }
        }
    }

    private List<String> probe() {
        try {
            String nice = find("nice");
            raise = List.of(find("renice"), "-n", Integer.toString(ProcessTable.niceness()));
            // The shell is a process with an id of its own, as a worker is.
            String shell = find("sh");
            List<String> trial = new ArrayList<>(List.of(nice, "-n", "1", shell, "-c", "exec \"$@\" -p $$", shell));
            trial.addAll(raise);
            if (Trial.succeeds(trial)) {
                return List.of(nice, "-n", Integer.toString(NICER));
            }
            LOG.debug("no low priority: it cannot be raised again");
        } catch (IOException e) {
            LOG.debug("no low priority: {}", e.getMessage());
        }
        raise = List.of();
        return List.of();
    }

    private static String find(String program) throws IOException {
        return Programs.find(program, System.getenv(), Path.of("/")).toString();
    }
}
