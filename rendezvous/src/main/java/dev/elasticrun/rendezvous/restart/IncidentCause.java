/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

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
    WORKER_DONE,
    COMMAND,
    NODE_JOINED,
    WORKER_JOINED,
    /** No round is made for it. */
    STORE_UNREACHABLE,
    /** A restart policy's own reason, or the start of the run. */
    OTHER;

    /** Of several the most severe. */
    public static IncidentCause of(List<Cause> causes) {
        return causes.stream()
                .map(Cause::incident)
                .min(Comparator.naturalOrder())
                .orElse(OTHER);
    }

    /** Value of a label. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
