/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.WorldChange;

/**
 * How long the run has made no progress.
 *
 * @param round newest round that was looked at; 0 = none
 * @param version newest checkpoint when the newest incident was seen
 * @param incidents in a row before which there was no new checkpoint
 */
record Stagnation(long round, long version, int incidents) {
    static final Stagnation NONE = new Stagnation(0, 0, 0);

    /** A round that is suspended and then sealed counts once; newcomers are no incident, nor is the start. */
    Stagnation in(Round next, long newestVersion) {
        long newest = Math.max(newestVersion, next.highestVersion());
        if (next.number() <= round) {
            return this;
        }
        if (round == 0) {
            return new Stagnation(next.number(), newest, 0);
        }
        if (next.change() == WorldChange.SCALE_UP) {
            return new Stagnation(next.number(), version, incidents);
        }
        return new Stagnation(next.number(), newest, newest > version ? 0 : incidents + 1);
    }
}
