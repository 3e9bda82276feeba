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
 * The commands before a worker's program: each one replaces itself by the next, so that the process stays the same. A
 * session and a group of its own; and, where {@code setpriv} of util-linux is there, SIGKILL when the thread that
 * started it ends, in case the guard is killed together with the agent. Owned by that thread.
 */
final class SpawnPrefix {
    private static final Logger LOG = LoggerFactory.getLogger(SpawnPrefix.class);
    private static final List<String> DIE_WITH_PARENT = List.of("--pdeathsig", "KILL", "--");

    private final Path setsid;
    private @Nullable List<String> prefix;

    SpawnPrefix(Path setsid) {
        this.setsid = setsid;
    }

    List<String> get() {
        List<String> known = prefix;
        if (known == null) {
            List<String> made = new ArrayList<>(List.of(setsid.toString(), "--"));
            made.addAll(dieWithParent());
            known = List.copyOf(made);
            prefix = known;
        }
        return known;
    }

    // Tested once: other programs of that name do not support the option.
    private static List<String> dieWithParent() {
        try {
            List<String> words = new ArrayList<>();
            words.add(Programs.find("setpriv", System.getenv(), Path.of("/")).toString());
            words.addAll(DIE_WITH_PARENT);
            List<String> trial = new ArrayList<>(words);
            trial.add("true");
            if (ShortCommand.succeeds(trial)) {
                return words;
            }
        } catch (IOException e) {
            LOG.debug("no setpriv: {}", e.getMessage());
        }
        return List.of();
    }
}
