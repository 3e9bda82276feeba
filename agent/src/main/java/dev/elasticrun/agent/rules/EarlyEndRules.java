/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.context.FailedWorker;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Workers that ended with 0 while others of their node still work. That alone is no failure: at the end of a run
 * workers end one after the other. But a round needs all workers of a node: when a peer misses such a worker, or a
 * fresh one beside it is about to, the worker has failed. Pure.
 */
final class EarlyEndRules {
    static final String MESSAGE = "ended with exit code 0 before its peers, which still work with it";

    private final AgentSettings settings;
    private final WorkerRules workers;
    private final WorkerFailures failures;

    EarlyEndRules(AgentSettings settings, WorkerRules workers) {
        this.settings = settings;
        this.workers = workers;
        this.failures = new WorkerFailures(settings);
    }

    /**
     * A worker of this node ended, or reported that it lost a peer: fails those that a neighbour misses, and, as a
     * consequence of its neighbour's failure, one that a fresh neighbour will miss.
     */
    Transition check(AgentState state) {
        Round round = state.round();
        if (round == null) {
            return Transition.stay(state);
        }
        Transition missed =
                failAll(state, false, slot -> isMissedByANeighbour(state, round, failures.rankOf(state, slot)));
        AgentState next = missed.state();
        return missed.then(failAll(next, true, slot -> isToBeMissed(next, round, slot)));
    }

    /** A round was published: if it was formed because another node lost a peer here, fails those that had ended. */
    Transition onRound(AgentState before, AgentState state) {
        Round round = state.round();
        Set<FailureHistory.Link> links =
                new HashSet<>(round == null ? List.of() : round.history().brokenLinks());
        Round former = before.round();
        links.removeAll(former == null ? List.of() : former.history().brokenLinks());
        boolean here = links.stream().anyMatch(link -> link.ends().contains(settings.nodeId()));
        return here ? failAll(state, false, slot -> failures.rankOf(state, slot) >= 0) : Transition.stay(state);
    }

    private Transition failAll(AgentState state, boolean isConsequence, IntPredicate isMissed) {
        GroupState group = state.group();
        if (state.isEnding() || !group.running() || state.phase() == NodePhase.DONE) {
            return Transition.stay(state);
        }
        List<Integer> missed = group.workers().stream()
                .filter(WorkerView::succeeded)
                .map(WorkerView::slot)
                .filter(isMissed::test)
                .toList();
        if (missed.isEmpty()) {
            return Transition.stay(state);
        }
        Transition noticed = Transition.stay(state);
        for (int slot : missed) {
            Failure failure = failures.ofEarlyEnd(state, slot, MESSAGE, isConsequence);
            GroupState failed = noticed.state()
                    .group()
                    .withWorker(slot, worker -> worker.with(WorkerView.Mark.MISSED))
                    .withFailure(failure);
            noticed = noticed.then(Transition.to(
                    noticed.state().with(failed),
                    "worker " + slot + " failed: " + MESSAGE,
                    new AgentEffect.Log(WorkerFailures.event(failure))));
        }
        return noticed.then(workers.onFailed(noticed.state(), missed));
    }

    // A worker that is fresh, or was a spare, cannot begin without it: rounds to come have both.
    private boolean isToBeMissed(AgentState state, Round round, int slot) {
        List<WorkerView> group = state.group().workers();
        if (settings.restarts().failedWorker() != FailedWorker.IS_REPLACED
                || !group.get(slot).is(WorkerView.Mark.RESUMED)) {
            return false;
        }
        boolean isWithoutPlace = state.place(round, settings.nodeId()).isEmpty();
        boolean isBeforeAll = state.checkpoints().agreedRound() < round.number();
        return group.stream()
                .filter(worker -> !worker.ended() && !worker.is(WorkerView.Mark.RESUMED))
                .anyMatch(fresh -> isWithoutPlace || (isBeforeAll && state.rank(fresh, settings.nodeId()) >= 0));
    }

    private static boolean isMissedByANeighbour(AgentState state, Round round, int rank) {
        return rank >= 0
                && state.reports().peersLost().stream()
                        .anyMatch(lost -> lost.round() == round.number() && !lost.isDoubt() && lost.lostRank() == rank);
    }
}
