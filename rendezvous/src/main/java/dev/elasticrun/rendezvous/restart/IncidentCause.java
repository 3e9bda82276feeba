/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.rendezvous.restart.Cause;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Why there is a new round, as one of a fixed set: a round's own causes name nodes. The most severe first: a failure
 * and a newcomer at once are a failure.
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

    /** Every cause has one. */
    static final Map<Class<? extends Cause>, IncidentCause> WORDS = Map.ofEntries(
            Map.entry(Cause.WorkersFailed.class, WORKER_FAILED),
            Map.entry(Cause.LinksBroken.class, LINK_BROKEN),
            Map.entry(Cause.NodesLost.class, NODE_LOST),
            Map.entry(Cause.NodesLeaving.class, NODE_LEFT),
            Map.entry(Cause.NodesExcluded.class, NODE_LEFT_OUT),
            Map.entry(Cause.NodesFenced.class, NODE_FENCED),
            Map.entry(Cause.RestartCommanded.class, COMMAND),
            Map.entry(Cause.DrainCommanded.class, COMMAND),
            Map.entry(Cause.ScaleCommanded.class, COMMAND),
            Map.entry(Cause.NodesJoined.class, NODE_JOINED),
            Map.entry(Cause.LinkOf.class, OTHER),
            Map.entry(Cause.Started.class, OTHER),
            Map.entry(Cause.AskedByWorker.class, OTHER),
            Map.entry(Cause.NodesUnreliable.class, OTHER),
            Map.entry(Cause.StopCommanded.class, OTHER),
            Map.entry(Cause.Policy.class, OTHER));

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
