/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.rendezvous.record.RunVersion;
import java.util.ArrayList;
import java.util.List;

/**
 * Records what the run has completed and lost, according to this agent.
 *
 * @param newest newest that its workers reported, or the loss of all
 * @param told newest that the node's record reports: what was newest when the phase or the acknowledged round changed
 *     last, since the record is written for that anyway
 * @param lost what the run lost while this agent was in it, in order
 */
public record Checkpoints(RunVersion newest, RunVersion told, List<LostState> lost) {
    static final Checkpoints NONE = new Checkpoints(RunVersion.NONE, RunVersion.NONE, List.of());

    private static final int MAX_LOST = 64;

    public Checkpoints {
        lost = List.copyOf(lost);
    }

    /** The newest wins; that all were lost is worth a record of its own. */
    Checkpoints noted(RunVersion version) {
        RunVersion next = newest.orNewer(version);
        return new Checkpoints(next, next.since() == newest.since() ? told : next, lost);
    }

    /** A checkpoint was completed, maybe one that is known already. */
    Checkpoints reached(long version) {
        return noted(newest.reached(version));
    }

    /** The node's record reports the newest. */
    Checkpoints published() {
        return new Checkpoints(newest, newest, lost);
    }

    Checkpoints withLost(LostState state) {
        List<LostState> all = new ArrayList<>(lost);
        all.add(state);
        if (all.size() > MAX_LOST) {
            // The first ones and the newest show what happened.
            all.remove(MAX_LOST / 2);
        }
        return new Checkpoints(newest, told, all);
    }
}
