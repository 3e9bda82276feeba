/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.MemberState;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Plans for a round whose workers work, or wait paused for the next one.
 *
 * <p>The round is first judged without newcomers and broken links. What the policy wants done then cannot wait; only
 * when all is well may newcomers be collected for a moment, or a loss be awaited that explains a broken link.
 */
final class RunningRoundPlanner {
    /** Agents hold back for 300 ms what may come from a scheduler: a peer that failed of it would be heard of first. */
    private static final Duration CAUSES = Duration.ofMillis(400);

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
        boolean urgent = now.round().suspended() || !(decide(now, 0, false) instanceof RestartDecision.Keep);
        List<Node> admitted = now.assessment().admitted(now.maxNodes());
        if (!urgent && now.assessment().brokenLinks()) {
            Gathering wait = now.gathering().become(Gathering.Kind.BROKEN_LINK, now.nowNanos());
            long deadline = wait.deadlineNanos(LeaseTimes.explained(config.leaseTtl()));
            if (now.nowNanos() - deadline < 0) {
                return new Plan(
                        new Decision.Wait(deadline), wait, "workers lost a peer; waiting for a loss that explains it");
            }
            return mend(now);
        }
        if (urgent && !now.round().suspended()) {
            Optional<Plan> more = collectLosses(now);
            if (more.isPresent()) {
                return more.get();
            }
        }
        if (!urgent && !admitted.isEmpty()) {
            Gathering wait = now.gathering().become(Gathering.Kind.SCALE_UP, now.nowNanos());
            long deadline = wait.deadlineNanos(config.scaleUpDelay());
            if (now.nowNanos() - deadline < 0 && !complete(now, admitted)) {
                return new Plan(
                        new Decision.Wait(deadline), wait, admitted.size() + " newcomers ready, collecting more");
            }
        }
        return apply(decide(now, admitted.size(), false), now);
    }

    /**
     * Where many nodes are, several are lost at once, but not all are noticed in the same moment: one more moment, short
     * beside what the round will cost, spares them all a second one. Under {@code hard} the wait for process groups does.
     */
    private Optional<Plan> collectLosses(Situation now) {
        Duration moment = config.losses(now.round().participants().size());
        Gathering.Kind before = now.gathering().kind();
        boolean waited = before == Gathering.Kind.LOSS_GRACE || before == Gathering.Kind.CAUSES;
        Gathering wait = now.gathering().become(Gathering.Kind.LOSSES, now.nowNanos());
        long deadline = wait.deadlineNanos(moment);
        return waited || !strategy.workersOutliveRounds() || now.nowNanos() - deadline >= 0
                ? Optional.empty()
                : Optional.of(new Plan(new Decision.Wait(deadline), wait, "members were lost; collecting more losses"));
    }

    /** Nothing is lost by a moment more once a run has failed, and the report names who failed first. */
    private static Plan afterCauses(Situation now, String reason) {
        Gathering wait = now.gathering().become(Gathering.Kind.CAUSES, now.nowNanos());
        long deadline = wait.deadlineNanos(CAUSES);
        return now.round().participants().size() > 1 && now.nowNanos() - deadline < 0
                ? new Plan(new Decision.Wait(deadline), wait, reason + "; asking who failed first")
                : now.end(Verdicts.budgetUsed(now.snapshot(), now.round(), reason));
    }

    /** No loss explained the broken links: a round of the same members, and the second time one without an end. */
    private Plan mend(Situation now) {
        Optional<BrokenLinks.LeftOut> left =
                now.brokenLinks().secondTime(now.snapshot(), now.round(), now.seen(), now.nowNanos());
        Situation rest = left.map(now::without).orElse(now);
        int admitted = rest.assessment().admitted(rest.maxNodes()).size();
        return apply(decide(rest, admitted, true), rest);
    }

    private RestartDecision decide(Situation now, int newcomers, boolean brokenLinks) {
        RestartDecision decision = advice.decide(
                new GroupView(now.round().number(), now.members(), newcomers, brokenLinks, now.budgetLeft()));
        if (!(decision instanceof RestartDecision.Keep) || !now.commanded()) {
            return decision;
        }
        return strategy.workersOutliveRounds()
                ? new RestartDecision.Reform(Set.of(), Set.of(), 0, "by command")
                : new RestartDecision.RestartAll(0, "by command");
    }

    /** Whether nobody is left to wait for. */
    private static boolean complete(Situation now, List<Node> admitted) {
        Assessment assessment = now.assessment();
        int all = admitted.size()
                + assessment.survivors().size()
                + assessment.done().size();
        return all == now.maxNodes() && assessment.preparing().isEmpty();
    }

    private Plan apply(RestartDecision decided, Situation now) {
        RestartDecision decision = decided.because(whyLeftOut(now) + byCommand(now));
        Round round = now.round();
        if (decision instanceof RestartDecision.Fail fail) {
            return afterCauses(now, fail.reason());
        }
        if (decision instanceof RestartDecision.RestartAll all && strategy.workersOutliveRounds()) {
            return ReformPlanner.startOver(now, restartAll(now, all));
        }
        if (decision instanceof RestartDecision.RestartAll all) {
            RestartDecision.Reform stop = new RestartDecision.Reform(Set.of(), Set.of(), all.charge(), all.reason());
            return now.publish(RoundBuilder.suspend(now, true, stop));
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
    static RestartDecision.Reform restartAll(Situation now, RestartDecision.RestartAll all) {
        Set<String> restart = new HashSet<>();
        for (GroupView.Member member : now.assessment().members()) {
            switch (member.state()) {
                case HEALTHY, FAILED, REPLACING, FENCED -> restart.add(member.nodeId());
                case LOST, LEAVING, EXCLUDED, DONE -> {}
            }
        }
        return new RestartDecision.Reform(restart, Set.of(), all.charge(), all.reason());
    }

    private static String byCommand(Situation now) {
        List<String> drained = now.assessment().in(MemberState.LEAVING).stream()
                .filter(now.round()::drains)
                .toList();
        return (drained.isEmpty() ? "" : "; drained by command")
                + (now.surplus().isEmpty()
                        ? ""
                        : "; scaled to " + now.snapshot().target().text());
    }

    private static String whyLeftOut(Situation now) {
        return now.assessment().members().stream()
                .filter(member ->
                        member.state() == MemberState.EXCLUDED && !now.surplus().contains(member.nodeId()))
                .map(member -> now.leftOut()
                        .filter(left -> left.nodeId().equals(member.nodeId()))
                        .map(left -> "; the link of " + left.nodeId() + " to " + left.otherEnd() + " is broken")
                        .orElseGet(() -> "; a worker excluded " + member.nodeId() + ": "
                                + now.snapshot()
                                        .node(member.nodeId())
                                        .map(node -> node.record().excluded())
                                        .orElse("")))
                .collect(Collectors.joining());
    }
}
