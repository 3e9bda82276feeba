/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

/**
 * Which round the workers of a node were told.
 *
 * @param open number of the round that they work in; 0 = they pause, or were not told any
 * @param endedNanos when they were told last that a round is over
 * @param place of their node among those of the newest round, from 0
 */
record RoundNow(long open, long endedNanos, int place) {
    static final RoundNow NONE = new RoundNow(0, 0, 0);

    /** They were told to pause. */
    RoundNow paused(long nowNanos) {
        return open == 0 ? this : new RoundNow(0, nowNanos, place);
    }

    /** They were told to work in that round. */
    RoundNow working(long round, int newPlace, long nowNanos) {
        return new RoundNow(round, open == 0 || open == round ? endedNanos : nowNanos, newPlace);
    }
}
