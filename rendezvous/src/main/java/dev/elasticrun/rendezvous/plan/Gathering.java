/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import java.time.Duration;

/**
 * The one notion of waiting: for what, and since when on this coordinator's clock. A coordinator that takes over waits
 * anew.
 *
 * @param sinceNanos when this wait began
 */
public record Gathering(Kind kind, long sinceNanos) {

    public enum Kind {
        NOTHING,
        /** For the minimum of nodes of the first round. */
        MINIMUM,
        /** For more nodes of the first round, the minimum being there. */
        LAST_CALL,
        /** For registered nodes to become ready. */
        READINESS,
        /** For more newcomers to a running round. */
        SCALE_UP,
        /** For enough nodes to continue. */
        BELOW_MINIMUM,
        /** For the process groups of a stopped round to be gone. */
        STOPPED,
        /** For more losses, so that those of one cause cost one round. */
        LOSSES,
        /** For failures that were before those that end the run. */
        CAUSES,
        /** For several members that may only have been out of sight. */
        LOSS_GRACE,
        /** For replaced workers to become ready, or for nodes that are gone to return. */
        REPLACEMENT,
        /** For a loss that explains broken links. */
        BROKEN_LINK,
        /** For a master endpoint that was not used yet. */
        MASTER_ENDPOINT;

        /** Whether only nodes that are not there can end it early: a user may have to start them. */
        public boolean isForNodes() {
            return this == MINIMUM || this == LAST_CALL || this == BELOW_MINIMUM;
        }
    }

    public static Gathering nothing(long nowNanos) {
        return new Gathering(Kind.NOTHING, nowNanos);
    }

    /** This wait if it is of that kind already, else a new one that begins now. */
    Gathering become(Kind wanted, long nowNanos) {
        return kind == wanted ? this : new Gathering(wanted, nowNanos);
    }

    long deadlineNanos(Duration wait) {
        return sinceNanos + wait.toNanos();
    }
}
