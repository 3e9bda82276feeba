/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.facts.Gauge;
import dev.elasticrun.agent.facts.KeptOut;
import dev.elasticrun.agent.facts.NodeFacts;
import dev.elasticrun.agent.facts.WorkerFacts;
import dev.elasticrun.agent.facts.WorkerFacts.State;
import dev.elasticrun.rendezvous.Round;
import java.util.List;
import java.util.Map;

/** From an agent's state, and what its workers tell, to the facts that are shown. Pure. */
final class LiveFacts {
    private LiveFacts() {}

    /**
     * @param gauges of the workers that run
     * @param waitingFor as {@link NodeFacts} has it
     * @param keptOut as {@link NodeFacts} has it
     * @param roundAgeMillis as {@link NodeFacts} has it
     */
    static NodeFacts of(
            String nodeId,
            AgentState state,
            Map<WorkerGauges.Key, Gauge> gauges,
            String waitingFor,
            List<KeptOut> keptOut,
            long roundAgeMillis) {
        Round round = state.round();
        int firstRank = round == null
                ? -1
                : state.place(round, nodeId).map(place -> place.firstRank()).orElse(-1);
        return new NodeFacts(
                nodeId,
                waitingFor,
                keptOut,
                roundAgeMillis,
                state.group().workers().stream()
                        .map(worker -> new WorkerFacts(
                                worker.slot(),
                                worker.attempt(),
                                worker.pid(),
                                firstRank < 0 ? -1 : firstRank + worker.slot(),
                                state(state, worker),
                                gauges.getOrDefault(new WorkerGauges.Key(worker.slot(), worker.attempt()), Gauge.NONE)))
                        .toList());
    }

    private static State state(AgentState state, WorkerView worker) {
        if (worker.succeeded()) {
            return State.ENDED;
        } else if (worker.ended()) {
            return State.FAILED;
        } else if (worker.pid() == 0) {
            return State.PENDING;
        }
        return switch (state.group().phase()) {
            case STOPPING -> State.STOPPING;
            case GONE -> State.FAILED;
            case PENDING, RUNNING -> alive(state, worker);
        };
    }

    private static State alive(AgentState state, WorkerView worker) {
        if (worker.is(WorkerView.Mark.WORKED)) {
            return state.workingRound() > 0 ? State.WORKING : State.PAUSED;
        }
        return worker.ready() ? State.READY : State.STARTING;
    }
}
