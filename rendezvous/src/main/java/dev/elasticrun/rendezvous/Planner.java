/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.restart.MemberState;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;

/** Decides what the coordinator does next. Pure: the same snapshot, memory and time give the same plan. */
final class Planner {
    private final RestartPolicyStrategy strategy;
    private final FirstRoundPlanner first;
    private final RunningRoundPlanner running;
    private final StoppedRoundPlanner stopped;

    Planner(PlannerConfig config, RestartPolicyStrategy strategy) {
        this.strategy = strategy;
        this.first = new FirstRoundPlanner(config);
        this.running = new RunningRoundPlanner(config, strategy);
        this.stopped = new StoppedRoundPlanner(config);
    }

    Plan plan(Snapshot snapshot, Gathering gathering, Observations seen, long nowNanos) {
        if (snapshot.verdict() != null) {
            return Plan.idle("the run has ended", nowNanos);
        }
        for (Node node : snapshot.nodes()) {
            Failure stopRun = node.record().stopRun();
            if (stopRun != null) {
                return Plan.end(Verdicts.stoppedBy(stopRun), nowNanos);
            }
        }
        Round round = snapshot.round();
        if (round == null) {
            return first.plan(snapshot, gathering, nowNanos);
        }
        Situation now = new Situation(snapshot, round, Assessment.of(snapshot, round), gathering, seen, nowNanos);
        if (finished(now)) {
            return now.end(Verdicts.success());
        }
        try {
            return round.suspended() && !strategy.workersOutliveRounds() ? stopped.plan(now) : running.plan(now);
        } catch (PolicyAdvice.UnusableException e) {
            return now.end(Verdicts.policyUnusable(String.valueOf(e.getMessage()), snapshot.failures()));
        }
    }

    /**
     * All that was to be done is done. A node that finished cannot be asked to work again, so that losing the rest
     * after it does not fail the run while the finished nodes are enough for it. A suspended round may have lost members
     * that are not done: what is left of it says nothing.
     */
    private static boolean finished(Situation now) {
        Round round = now.round();
        Assessment assessment = now.assessment();
        boolean whole = !round.suspended() || round.change() == WorldChange.NONE;
        if (whole && assessment.all(MemberState.DONE)) {
            return true;
        }
        return assessment.survivors().isEmpty()
                && !assessment.any(MemberState.FAILED)
                && !assessment.done().isEmpty()
                && assessment.done().size() >= now.minNodes()
                && now.snapshot().usable().isEmpty();
    }
}
