/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.worker.contract.PauseKind;

/** Decides how workers that outlive a round are paused, and what a node gives up with the round. Pure. */
final class Pauses {
    private Pauses() {}

    /** Publishes a PAUSE for this round; the workers have the pause time-out to acknowledge it. */
    static Transition pause(AgentSettings settings, AgentState state, Round round) {
        return pause(settings, state, round.change(), kind(round), round.cause());
    }

    static Transition pause(
            AgentSettings settings, AgentState state, WorldChange change, PauseKind kind, String cause) {
        GroupState group = state.group().withEvent();
        Round round = state.round();
        long number = state.workingRound();
        long world = round == null || number == 0 ? 0 : round.world();
        AgentState next = state.with(group).idle();
        Transition paused = Transition.to(
                next,
                number == 0 ? "" : "pausing round " + number + ": " + cause,
                new AgentEffect.Pause(group.generation(), group.eventSeq(), number, world, change, kind, cause));
        if (number == 0) {
            return paused;
        }
        return paused.and(
                new AgentEffect.Log(new RunEvent.IncidentPaused(cause, number)),
                new AgentEffect.Schedule(
                        settings.times().pause(), new AgentEvent.PauseExpired(group.generation(), group.eventSeq())));
    }

    /** Gives up the master endpoint for another. Until that is held the record has none, so that a record which acknowledges a round never names a used one. */
    static Transition nextMaster(AgentState state) {
        return Transition.stay(state.with(state.membership().withMasterPort(0)))
                .and(new AgentEffect.ReservePorts(false));
    }

    private static PauseKind kind(Round round) {
        return round.replaces() ? PauseKind.REPLACE : PauseKind.CHANGE;
    }
}
