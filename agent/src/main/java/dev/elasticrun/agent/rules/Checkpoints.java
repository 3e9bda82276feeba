/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.rendezvous.record.HeldVersion;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.UpMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * Records what the run has completed and lost, according to this agent.
 *
 * @param newest newest that its workers reported, or the loss of all
 * @param recorded newest that the node's record reports: what was newest when the phase or the acknowledged round changed
 *     last, since the record is written for that anyway
 * @param agreed newest round in which its workers had the state of all others
 * @param missedRound newest round without this node, or that it did not see; 0 = none
 * @param lost what the run lost while this agent was in it, in order
 */
public record Checkpoints(
        HeldVersion newest, HeldVersion recorded, Agreement agreed, long missedRound, List<LostState> lost) {
    static final Checkpoints NONE =
            new Checkpoints(HeldVersion.NONE, HeldVersion.NONE, new Agreement(0, 0), 0, List.of());

    private static final int MAX_LOST = 64;

    /**
     * @param round 0 = none
     * @param world of that round; 0 = its workers do not state it
     */
    public record Agreement(long round, long world) {}

    public Checkpoints {
        lost = List.copyOf(lost);
    }

    /** All were lost in that round, unless a later loss is known; 0 = in none. */
    Checkpoints lostIn(long round) {
        return with(newest.orNewer(HeldVersion.lostIn(round)));
    }

    /**
     * A checkpoint was completed, maybe one that is known already: one that is not was made in the newest round in which its
     * workers had the state of all others.
     */
    Checkpoints reached(long version) {
        return version > newest.version()
                ? with(HeldVersion.of(newest.since(), Math.max(newest.world(), agreed.world()), version))
                : this;
    }

    // That all were lost is worth a record of its own.
    private Checkpoints with(HeldVersion next) {
        return new Checkpoints(next, next.since() == newest.since() ? recorded : next, agreed, missedRound, lost);
    }

    /** The node's files have it. What is from before the loss of all counts no more. */
    Checkpoints held(CheckpointId id) {
        return id.world() < newest.since()
                ? this
                : with(newest.orNewer(HeldVersion.of(newest.since(), id.world(), id.version())));
    }

    /**
     * The node's files have it from another node.
     *
     * @param since the newest loss of all that the other node knows, maybe of a round without this one; 0 = none
     */
    Checkpoints copied(CheckpointId id, long since) {
        return lostIn(since).held(id);
    }

    /**
     * A worker completed an operation with all others of a round. The first one of a round states from which checkpoint it
     * continues: what this node alone had beyond is given up.
     */
    Checkpoints resumed(UpMessage.Resumed resumed) {
        if (resumed.round() <= agreed.round()) {
            return reached(resumed.version());
        }
        Checkpoints next = resumed.checkpointWorld() > 0
                ? with(HeldVersion.of(newest.since(), resumed.checkpointWorld(), resumed.version()))
                : reached(resumed.version());
        return new Checkpoints(
                next.newest, next.recorded, new Agreement(resumed.round(), resumed.world()), missedRound, lost);
    }

    /** Newest round in which its workers had the state of all others; 0 = none. */
    long agreedRound() {
        return agreed.round();
    }

    /** The run had that round without this node. */
    Checkpoints missed(long round) {
        return new Checkpoints(newest, recorded, agreed, Math.max(missedRound, round), lost);
    }

    /**
     * Whether others can have a version that its workers have not: they never agreed with others, or there was a round without
     * them since. A version needs all ranks of its round.
     */
    boolean isInDoubt() {
        return agreed.round() == 0 || missedRound > agreed.round();
    }

    /** The node's record reports the newest. */
    Checkpoints published() {
        return new Checkpoints(newest, newest, agreed, missedRound, lost);
    }

    Checkpoints withLost(LostState state) {
        List<LostState> all = new ArrayList<>(lost);
        all.add(state);
        if (all.size() > MAX_LOST) {
            // The first ones and the newest show what happened.
            all.remove(MAX_LOST / 2);
        }
        return new Checkpoints(newest, recorded, agreed, missedRound, all);
    }
}
