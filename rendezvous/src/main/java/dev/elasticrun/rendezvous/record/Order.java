/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.stream.IntStream;

/**
 * What a round orders one node to do; repeated in every round until it is obeyed.
 *
 * @param generation the worker group that the order is about; a later one has obeyed it
 */
public record Order(String nodeId, Kind kind, int generation) {

    /** What to do. */
    public enum Kind {
        /** Stop the worker group, start a fresh one and report READY. */
        RESTART,
        /** Start fresh workers for those of the group that ended, and report READY; the others run on, paused. */
        REPLACE,
        /** Go on with the other workers of the group: no restart is left for those that ended. Holds for good. */
        SHRINK,
        /** Start workers again after a back-off: one restart was charged for it. */
        START,
        /** Stop the workers and leave the run: no restart is left. */
        LEAVE,
        /** Leave the run in good order: a user asked for it. */
        DRAIN;

        /** Whether it stays when the node has obeyed. */
        public boolean isForGood() {
            return isLast() || this == SHRINK;
        }

        /** Whether a node that obeyed it is not in the run any more. */
        public boolean isLast() {
            return this == LEAVE || this == DRAIN;
        }
    }

    /**
     * Whether it is about a group whose workers are replaced one by one: about all of it, as long as one worker is left
     * of the group that had the order's generation.
     *
     * @param attempts generations in which the present workers of the group were started
     */
    public boolean isAboutAnyOf(IntStream attempts) {
        return attempts.anyMatch(attempt -> attempt <= generation);
    }
}
