/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.rendezvous.restart.Cause;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Why there is a new round, as one of a few words: a round's own causes name nodes. The most severe first: a failure and a
 * newcomer at once are a failure.
 */
public enum IncidentCause {
    WORKER_FAILED,
    LINK_BROKEN,
    NODE_LOST,
    NODE_LEFT,
    NODE_LEFT_OUT,
    NODE_FENCED,
    COMMAND,
    NODE_JOINED,
    /** No round is made for it. */
    STORE_UNREACHABLE,
    /** A restart policy's own reason, or the start of the run. */
    OTHER;

    private static final Map<Class<? extends Cause>, IncidentCause> WORDS = Map.of(
            Cause.WorkersFailed.class, WORKER_FAILED,
            Cause.LinksBroken.class, LINK_BROKEN,
            Cause.NodesLost.class, NODE_LOST,
            Cause.NodesLeaving.class, NODE_LEFT,
            Cause.NodesExcluded.class, NODE_LEFT_OUT,
            Cause.NodesFenced.class, NODE_FENCED,
            Cause.RestartCommanded.class, COMMAND,
            Cause.DrainCommanded.class, COMMAND,
            Cause.ScaleCommanded.class, COMMAND,
            Cause.NodesJoined.class, NODE_JOINED);

    /** Of several the most severe. */
    public static IncidentCause of(List<Cause> causes) {
        return causes.stream()
                .map(cause -> WORDS.getOrDefault(cause.getClass(), OTHER))
                .min(Comparator.naturalOrder())
                .orElse(OTHER);
    }

    /** Value of a label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
