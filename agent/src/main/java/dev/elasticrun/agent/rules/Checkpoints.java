/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.worker.contract.CheckpointId;
import java.util.ArrayList;
import java.util.List;

/**
 * Records what the run has completed and lost, according to this agent.
 *
 * @param newest newest that its workers reported, or the loss of all
 * @param told newest that the node's record reports: what was newest when the phase or the acknowledged round changed
 *     last, since the record is written for that anyway
 * @param agreedRound newest round in which its workers had the state of all others; 0 = none
 * @param missedRound newest round without this node, or that it did not see; 0 = none
 * @param lost what the run lost while this agent was in it, in order
 */
public record Checkpoints(
        RunVersion newest, RunVersion told, long agreedRound, long missedRound, List<LostState> lost) {
    static final Checkpoints NONE = new Checkpoints(RunVersion.NONE, RunVersion.NONE, 0, 0, List.of());

    private static final int MAX_LOST = 64;

    public Checkpoints {
        lost = List.copyOf(lost);
    }

    /** The newest wins; that all were lost is worth a record of its own. */
    Checkpoints noted(RunVersion version) {
        RunVersion next = newest.orNewer(version);
        return new Checkpoints(next, next.since() == newest.since() ? told : next, agreedRound, missedRound, lost);
    }

    /** A checkpoint was completed, maybe one that is known already. */
    Checkpoints reached(long version) {
        return noted(newest.reached(version));
    }

    /** The node's files have it. What is from before the loss of all counts no more. */
    Checkpoints held(CheckpointId id) {
        return id.world() < newest.since() ? this : reached(id.version());
    }

    /**
     * The node's files have it from another node.
     *
     * @param since the newest loss of all that the other node knows, maybe of a round without this one; 0 = none
     */
    Checkpoints copied(CheckpointId id, long since) {
        return noted(RunVersion.lostIn(since)).held(id);
    }

    /** Its workers completed an operation with all others of the round, which continues from that version. */
    Checkpoints agreed(long round, long version) {
        Checkpoints reached = reached(version);
        return new Checkpoints(reached.newest, reached.told, Math.max(agreedRound, round), missedRound, lost);
    }

    /** The run had that round without this node. */
    Checkpoints missed(long round) {
        return new Checkpoints(newest, told, agreedRound, Math.max(missedRound, round), lost);
    }

    /**
     * Whether others can have a version that its workers have not: they never agreed with others, or there was a round without
     * them since. A version needs all ranks of its round.
     */
    boolean isInDoubt() {
        return agreedRound == 0 || missedRound > agreedRound;
    }

    /** The node's record reports the newest. */
    Checkpoints published() {
        return new Checkpoints(newest, newest, agreedRound, missedRound, lost);
    }

    Checkpoints withLost(LostState state) {
        List<LostState> all = new ArrayList<>(lost);
        all.add(state);
        if (all.size() > MAX_LOST) {
            // The first ones and the newest show what happened.
            all.remove(MAX_LOST / 2);
        }
        return new Checkpoints(newest, told, agreedRound, missedRound, all);
    }
}
