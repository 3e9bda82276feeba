/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import org.jspecify.annotations.Nullable;

/**
 * Where an agent is in the sequence of rounds.
 *
 * @param newest newest round that it saw; null before the first
 * @param working the round that its workers work in; 0 = they are paused or not started
 * @param acknowledged newest round that it acted on
 * @param stopped rounds up to this one have no process left here
 * @param lostMembers nodes that left between the round before the newest sealed one and that
 * @param budget how long the run has made no progress
 */
public record RoundProgress(
        @Nullable Round newest,
        long working,
        long acknowledged,
        long stopped,
        LostMembers lostMembers,
        ProgressBudget budget) {
    static final RoundProgress NONE = new RoundProgress(null, 0, 0, 0, LostMembers.NOBODY, ProgressBudget.NONE);

    /** The round was published. */
    RoundProgress seen(Round round) {
        return new RoundProgress(round, working, acknowledged, stopped, lostMembers.in(round, newest), budget);
    }

    /** Counts the incident that led to the round, if one did. */
    RoundProgress counted(Round round, RunVersion checkpoint) {
        return new RoundProgress(newest, working, acknowledged, stopped, lostMembers, budget.in(round, checkpoint));
    }

    RoundProgress workingIn(Round round) {
        return new RoundProgress(newest, round.number(), round.number(), stopped, lostMembers, budget);
    }

    RoundProgress idle() {
        return new RoundProgress(newest, 0, acknowledged, stopped, lostMembers, budget);
    }

    RoundProgress acknowledging(Round round) {
        return new RoundProgress(newest, working, Math.max(acknowledged, round.number()), stopped, lostMembers, budget);
    }

    /** No process of the rounds up to this one is left here. */
    RoundProgress stoppedUpTo(long round) {
        return new RoundProgress(newest, working, acknowledged, round, lostMembers, budget);
    }
}
