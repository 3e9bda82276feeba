/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

/**
 * The round that was announced to the workers of a node.
 *
 * @param open number of the round that they work in; 0 = they pause, or received no round yet
 * @param endedNanos when they last received the end of a round
 * @param place of their node among those of the newest round, from 0
 */
record RoundNow(long open, long endedNanos, int place) {
    static final RoundNow NONE = new RoundNow(0, 0, 0);

    /** They received PAUSE. */
    RoundNow paused(long nowNanos) {
        return open == 0 ? this : new RoundNow(0, nowNanos, place);
    }

    /** They received WORK for that round. */
    RoundNow working(long round, int newPlace, long nowNanos) {
        return new RoundNow(round, open == 0 || open == round ? endedNanos : nowNanos, newPlace);
    }
}
