/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.record.WorldChange;

/**
 * How long the run has made no progress.
 *
 * @param round newest round that was looked at; 0 = none
 * @param command last command that was consumed when that round was first seen; 0 = none
 * @param checkpoint newest when the newest incident was seen
 * @param incidents in a row before which there was no new checkpoint
 */
record ProgressBudget(long round, long command, RunVersion checkpoint, int incidents) {
    static final ProgressBudget NONE = new ProgressBudget(0, 0, RunVersion.NONE, 0);

    /**
     * A round that is suspended and then sealed counts once; newcomers are no incident, nor is the start, nor what a
     * user requested by a command.
     */
    ProgressBudget in(Round next, RunVersion known) {
        RunVersion newest = known.orNewer(next.checkpoint());
        if (next.number() <= round) {
            return this;
        }
        if (round == 0) {
            return in(next, newest, 0);
        }
        if (next.change() == WorldChange.SCALE_UP || next.lastCommand() > command) {
            return in(next, checkpoint, incidents);
        }
        return in(next, newest, newest.isProgressOver(checkpoint) ? 0 : incidents + 1);
    }

    private static ProgressBudget in(Round round, RunVersion checkpoint, int incidents) {
        return new ProgressBudget(round.number(), round.lastCommand(), checkpoint, incidents);
    }
}
