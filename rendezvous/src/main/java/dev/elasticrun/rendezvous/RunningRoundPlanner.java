/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Plans for a round whose workers work, or wait paused for the next one.
 *
 * <p>The round is first judged without newcomers and broken links. What the policy wants done then cannot wait; only
 * when all is well may newcomers be collected for a moment, or a loss be awaited that explains a broken link.
 */
final class RunningRoundPlanner {
    private final PlannerConfig config;
    private final RestartPolicyStrategy strategy;
    private final PolicyAdvice advice;
    private final ReformPlanner reforms;

    RunningRoundPlanner(PlannerConfig config, RestartPolicyStrategy strategy) {
        this.config = config;
        this.strategy = strategy;
        this.advice = new PolicyAdvice(strategy);
        this.reforms = new ReformPlanner(config);
    }

    Plan plan(Situation now) {
        Round round = now.round();
        Assessment assessment = now.assessment();
        List<Node> admitted = assessment.admitted(now.maxNodes());
        GroupView calm = new GroupView(round.number(), assessment.members(), 0, false, now.budgetLeft());
        boolean urgent = round.suspended() || !(advice.decide(calm) instanceof RestartDecision.Keep);
        boolean brokenLinks = false;
        if (!urgent && !admitted.isEmpty()) {
            Gathering wait = now.gathering().become(Gathering.Kind.SCALE_UP, now.nowNanos());
            long deadline = wait.deadlineNanos(config.scaleUpDelay());
            boolean full = admitted.size()
                            + assessment.survivors().size()
                            + assessment.done().size()
                    == now.maxNodes();
            if (now.nowNanos() - deadline < 0
                    && !(full && assessment.preparing().isEmpty())) {
                return new Plan(
                        new Decision.Wait(deadline), wait, admitted.size() + " newcomers ready, collecting more");
            }
        } else if (!urgent && assessment.brokenLinks()) {
            Gathering wait = now.gathering().become(Gathering.Kind.BROKEN_LINK, now.nowNanos());
            long deadline = wait.deadlineNanos(config.leaseTtl());
            if (now.nowNanos() - deadline < 0) {
                return new Plan(
                        new Decision.Wait(deadline), wait, "workers lost a peer; waiting for a loss that explains it");
            }
            brokenLinks = true;
        }
        GroupView view =
                new GroupView(round.number(), assessment.members(), admitted.size(), brokenLinks, now.budgetLeft());
        return apply(advice.decide(view), now);
    }

    private Plan apply(RestartDecision decision, Situation now) {
        Snapshot snapshot = now.snapshot();
        Round round = now.round();
        if (decision instanceof RestartDecision.Fail fail) {
            return now.end(Verdicts.budgetUsed(snapshot, round, fail.reason()));
        }
        if (decision instanceof RestartDecision.RestartAll all && strategy.workersOutliveRounds()) {
            return ReformPlanner.startOver(now, restartAll(now, all));
        }
        if (decision instanceof RestartDecision.RestartAll all) {
            RestartDecision.Reform stop = new RestartDecision.Reform(Set.of(), Set.of(), all.charge(), all.reason());
            return now.publish(RoundBuilder.suspend(snapshot, round, now.assessment(), true, stop));
        }
        if (decision instanceof RestartDecision.Reform reform) {
            return reforms.plan(now, reform);
        }
        if (round.suspended()) {
            return reforms.plan(now, new RestartDecision.Reform(Set.of(), Set.of(), 0, round.cause()));
        }
        return Plan.idle(decision.reason(), now.nowNanos());
    }

    /** Workers that outlive rounds are stopped by order, node by node. */
    private static RestartDecision.Reform restartAll(Situation now, RestartDecision.RestartAll all) {
        Set<String> restart = new HashSet<>();
        for (GroupView.Member member : now.assessment().members()) {
            switch (member.state()) {
                case HEALTHY, FAILED, REPLACING, FENCED -> restart.add(member.nodeId());
                case LOST, LEAVING, DONE -> {}
            }
        }
        return new RestartDecision.Reform(restart, Set.of(), all.charge(), all.reason());
    }
}
