/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.MemberState;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Plans for a round whose workers work, or wait paused for the next one.
 *
 * <p>The round is first judged without newcomers and broken links. What the policy wants done then cannot wait; only
 * when all is well may newcomers be collected for a moment, or a loss be awaited that explains a broken link. Once a
 * member is done, the others are about to be, too: nobody is admitted any more, and a round that cannot begin, as workers
 * were done before it, is followed by one without them.
 */
final class RunningRoundPlanner {
    // Agents hold back for 300 ms what may come from a scheduler: a failure of a peer that followed from it would
    // arrive first.
    private static final Duration CAUSES = Duration.ofMillis(400);
    // Those that are done end one after the other, within what the ends of two JVMs differ by.
    private static final Duration ENDS = Duration.ofMillis(250);

    private final PlannerConfig config;
    private final RestartPolicyStrategy strategy;
    private final PolicyAdvice advice;
    private final ReformPlanner reforms;

    RunningRoundPlanner(PlannerConfig config, RestartPolicyStrategy strategy) {
        this.config = config;
        this.strategy = strategy;
        this.advice = new PolicyAdvice(strategy);
        this.reforms = new ReformPlanner(config, strategy.waitsForWorkers());
    }

    Plan plan(PlanInput now) {
        RestartDecision first = decide(now, Ready.NOBODY, false);
        boolean urgent = now.round().suspended() || !(first instanceof RestartDecision.Keep);
        Ready ready = ready(now);
        if (!urgent && now.memberStates().brokenLinks()) {
            Gathering wait = now.gathering().become(Gathering.Kind.BROKEN_LINK, now.nowNanos());
            long deadline = wait.deadlineNanos(config.lease().explained());
            if (now.nowNanos() - deadline < 0) {
                return new Plan(
                        new Decision.Wait(deadline), wait, "workers lost a peer; waiting for a loss that explains it");
            }
            return mend(now);
        }
        if (urgent && !now.round().suspended()) {
            Optional<Plan> more = collectMore(now, first);
            if (more.isPresent()) {
                return more.get();
            }
        }
        if (!urgent && !ready.equals(Ready.NOBODY)) {
            List<String> done = now.memberStates().in(MemberState.DONE);
            if (!done.isEmpty()) {
                return Plan.idle(ready.text() + ", too late: done " + String.join(", ", done), now.nowNanos());
            }
            Gathering wait = now.gathering().become(Gathering.Kind.SCALE_UP, now.nowNanos());
            long deadline = wait.deadlineNanos(config.rounds().scaleUpDelay());
            if (now.nowNanos() - deadline < 0 && !complete(now, ready)) {
                return new Plan(new Decision.Wait(deadline), wait, ready.text() + ", collecting more");
            }
        }
        return apply(decide(now, ready, false), now);
    }

    private Ready ready(PlanInput now) {
        MemberStates states = now.memberStates();
        int workers = strategy.elasticWorkers() ? states.returning(now.round()) : 0;
        return new Ready(states.admitted(now.maxNodes()).size(), workers);
    }

    /** Who could be given ranks: nodes, and workers of members. */
    private record Ready(int nodes, int workers) {
        static final Ready NOBODY = new Ready(0, 0);

        String text() {
            return workers == 0
                    ? nodes + " newcomers ready"
                    : nodes == 0 ? workers + " workers ready" : nodes + " newcomers and " + workers + " workers ready";
        }
    }

    /**
     * Where many nodes are, several are lost at once, but not all are noticed in the same moment: one more moment, short
     * beside what the round will cost, spares them all a second one. Under {@code hard} the wait for process groups does.
     * Workers that are done end one after the other, too.
     */
    private Optional<Plan> collectMore(PlanInput now, RestartDecision decision) {
        boolean isOfDone = decision instanceof RestartDecision.Reform reform
                && reform.causes().stream().anyMatch(Cause.WorkersDone.class::isInstance);
        Duration moment =
                isOfDone ? ENDS : config.losses(now.round().participants().size());
        Gathering.Kind before = now.gathering().kind();
        boolean waited = before == Gathering.Kind.LOSS_GRACE || before == Gathering.Kind.CAUSES;
        Gathering wait = now.gathering().become(Gathering.Kind.LOSSES, now.nowNanos());
        long deadline = wait.deadlineNanos(moment);
        String reason = isOfDone
                ? "workers were done before the round began; collecting more ends"
                : "members were lost; collecting more losses";
        return waited || !strategy.workersOutliveRounds() || now.nowNanos() - deadline >= 0
                ? Optional.empty()
                : Optional.of(new Plan(new Decision.Wait(deadline), wait, reason));
    }

    // Once a run has failed, a moment more costs nothing, and the report then names the first failure.
    private static Plan afterCauses(PlanInput now, RestartDecision.Fail fail) {
        Gathering wait = now.gathering().become(Gathering.Kind.CAUSES, now.nowNanos());
        long deadline = wait.deadlineNanos(CAUSES);
        return now.round().participants().size() > 1 && now.nowNanos() - deadline < 0
                ? new Plan(new Decision.Wait(deadline), wait, fail.reason() + "; asking who failed first")
                : now.end(Verdicts.budgetUsed(now.snapshot(), now.round(), fail.causes(), fail.reason()));
    }

    // No loss explained the broken links: publishes a round of the same members, and the second time one without an
    // end.
    private Plan mend(PlanInput now) {
        Optional<BrokenLinks.LeftOut> left =
                now.standing().brokenLinks().secondTime(now.snapshot(), now.round(), now.seen(), now.nowNanos());
        PlanInput rest = left.map(now::without).orElse(now);
        return apply(decide(rest, ready(rest), true), rest);
    }

    private RestartDecision decide(PlanInput now, Ready ready, boolean brokenLinks) {
        RestartDecision decision = advice.decide(new GroupView(
                now.round().number(), now.members(), ready.nodes(), ready.workers(), brokenLinks, now.restarts()));
        if (!(decision instanceof RestartDecision.Keep)) {
            return decision;
        }
        List<String> done = doneTooEarly(now);
        if (!done.isEmpty()) {
            return RoundBuilder.unchanged(List.of(new Cause.WorkersDone(done)));
        }
        if (!now.commanded()) {
            return decision;
        }
        return strategy.workersOutliveRounds()
                ? RoundBuilder.unchanged(List.of())
                : new RestartDecision.RestartAll(0, List.of());
    }

    // Members with workers for which the others wait in vain. Under hard, workers may know nothing of each other.
    private List<String> doneTooEarly(PlanInput now) {
        Round round = now.round();
        return strategy.workersOutliveRounds() && !round.suspended()
                ? round.participants().stream()
                        .filter(place -> now.snapshot()
                                .node(place)
                                .filter(node -> node.endedBefore(round, place))
                                .isPresent())
                        .map(Participant::nodeId)
                        .toList()
                : List.of();
    }

    // Whether no node is left to wait for.
    private boolean complete(PlanInput now, Ready ready) {
        MemberStates memberStates = now.memberStates();
        if (strategy.elasticWorkers() && !memberStates.whole(now.round())) {
            return false;
        }
        int all = ready.nodes()
                + memberStates.survivors().size()
                + memberStates.done().size();
        return all == now.maxNodes() && memberStates.preparing().isEmpty();
    }

    private Plan apply(RestartDecision decided, PlanInput now) {
        RestartDecision decision = decided.because(details(now));
        Round round = now.round();
        if (decision instanceof RestartDecision.Fail fail) {
            return afterCauses(now, fail);
        }
        if (decision instanceof RestartDecision.RestartAll all && strategy.workersOutliveRounds()) {
            return ReformPlanner.startOver(now, restartAll(now, all));
        }
        if (decision instanceof RestartDecision.RestartAll all) {
            RestartDecision.Reform stop =
                    new RestartDecision.Reform(Set.of(), Set.of(), Set.of(), all.charge(), all.causes());
            return now.publish(RoundBuilder.suspend(now, true, stop));
        }
        if (decision instanceof RestartDecision.Reform reform) {
            return reforms.plan(now, reform);
        }
        if (round.suspended()) {
            return reforms.plan(now, RoundBuilder.unchanged(round.causes()));
        }
        return Plan.idle(decision.reason(), now.nowNanos());
    }

    /** Workers that outlive rounds are stopped by order, node by node. */
    static RestartDecision.Reform restartAll(PlanInput now, RestartDecision.RestartAll all) {
        Set<String> restart = new HashSet<>();
        for (GroupView.Member member : now.memberStates().members()) {
            switch (member.state()) {
                case HEALTHY, FAILED, REPLACING, FENCED -> restart.add(member.nodeId());
                case LOST, LEAVING, EXCLUDED, DONE -> {}
            }
        }
        return new RestartDecision.Reform(restart, Set.of(), Set.of(), all.charge(), all.causes());
    }

    /** Why nodes are excluded, and what an operator asked for. */
    private static List<Cause> details(PlanInput now) {
        List<Cause> details = new ArrayList<>();
        for (GroupView.Member member : now.memberStates().members()) {
            if (member.state() == MemberState.EXCLUDED
                    && !now.standing().surplus().contains(member.nodeId())) {
                details.add(whyLeftOut(now, member.nodeId()));
            }
        }
        if (now.memberStates().in(MemberState.LEAVING).stream().anyMatch(now.round()::drains)) {
            details.add(new Cause.DrainCommanded());
        }
        if (!now.standing().surplus().isEmpty()) {
            details.add(new Cause.ScaleCommanded(now.snapshot().target().text()));
        }
        return details;
    }

    private static Cause whyLeftOut(PlanInput now, String nodeId) {
        return now.standing()
                .leftOut()
                .filter(left -> left.nodeId().equals(nodeId))
                .<Cause>map(left -> new Cause.LinkOf(left.nodeId(), left.otherEnd()))
                .orElseGet(() -> new Cause.AskedByWorker(
                        nodeId,
                        now.snapshot()
                                .node(nodeId)
                                .map(node -> node.record().reports().excluded())
                                .orElse("")));
    }
}
