/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.MemberState;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Decides what the coordinator does next. Pure: the same snapshot, memory and time give the same plan.
 *
 * <p>A running round is first judged without newcomers and broken links. What the policy wants done then cannot wait;
 * only when all is well may newcomers be collected for a moment, or a loss be awaited that explains a broken link.
 */
final class Planner {
    /** Exit codes that a verdict can carry. */
    static final int EXIT_WORKER_FAILURE = 1;

    static final int EXIT_BELOW_MINIMUM = 3;
    static final int EXIT_BUDGET_USED = 4;

    private final PlannerConfig config;
    private final RestartPolicyStrategy strategy;

    Planner(PlannerConfig config, RestartPolicyStrategy strategy) {
        this.config = config;
        this.strategy = strategy;
    }

    Plan plan(Snapshot snapshot, Gathering gathering, long nowNanos) {
        Gathering nothing = Gathering.nothing(nowNanos);
        if (snapshot.verdict() != null) {
            return new Plan(new Decision.Idle(), nothing, "the run has ended");
        }
        for (Node node : snapshot.nodes()) {
            Failure stopRun = node.record().stopRun();
            if (stopRun != null) {
                String reason = "stopped by a worker of " + node.nodeId() + ": " + stopRun.message();
                return end(new Verdict(false, EXIT_WORKER_FAILURE, reason, List.of(stopRun)), nothing);
            }
        }
        Round round = snapshot.round();
        if (round == null) {
            return planFirst(snapshot, gathering, nowNanos);
        }
        Assessment assessment = Assessment.of(snapshot, round);
        if (finished(snapshot, round, assessment)) {
            return end(Verdict.success("all workers ended with exit code 0"), nothing);
        }
        if (round.suspended() && !strategy.workersOutliveRounds()) {
            return planStopped(snapshot, round, assessment, gathering, nowNanos);
        }
        return planRunning(snapshot, round, assessment, gathering, nowNanos);
    }

    private Plan planFirst(Snapshot snapshot, Gathering gathering, long nowNanos) {
        RunSpec spec = snapshot.spec();
        List<Node> candidates =
                snapshot.nodes().stream().filter(Planner::usable).toList();
        if (candidates.isEmpty() && anyBroken(snapshot)) {
            return brokenEnd(snapshot, nowNanos);
        }
        int done = (int) snapshot.nodes().stream()
                .filter(node -> node.phase() == NodePhase.DONE)
                .count();
        if (candidates.isEmpty() && done >= spec.minNodes()) {
            return end(Verdict.success("all workers ended with exit code 0"), Gathering.nothing(nowNanos));
        }
        if (candidates.isEmpty() || candidates.size() + done < spec.minNodes()) {
            Gathering wait = gathering.become(Gathering.Kind.MINIMUM, nowNanos);
            String reason = RoundBuilder.missing(spec.minNodes(), candidates, config.joinTimeout());
            return waitOrEnd(
                    wait,
                    config.joinTimeout(),
                    nowNanos,
                    reason,
                    new Verdict(false, EXIT_BELOW_MINIMUM, reason, List.of()));
        }
        int room = Math.max(1, spec.maxNodes() - done);
        if (candidates.size() < room && gathering.kind() != Gathering.Kind.READINESS) {
            Gathering wait = gathering.become(Gathering.Kind.LAST_CALL, nowNanos);
            long deadline = wait.deadlineNanos(config.lastCall());
            if (nowNanos - deadline < 0) {
                return new Plan(
                        new Decision.Wait(deadline),
                        wait,
                        "last call: " + candidates.size() + " of at most " + spec.maxNodes() + " nodes are there");
            }
        }
        List<Node> wanted = candidates.subList(0, Math.min(candidates.size(), room));
        List<Node> laggards = wanted.stream()
                .filter(node -> node.phase() == NodePhase.STARTING)
                .toList();
        if (!laggards.isEmpty()) {
            return waitForReady(laggards, gathering, nowNanos);
        }
        Round sealed = RoundBuilder.first(snapshot, wanted);
        return new Plan(new Decision.Publish(sealed), Gathering.nothing(nowNanos), sealed.cause());
    }

    private Plan planRunning(
            Snapshot snapshot, Round round, Assessment assessment, Gathering gathering, long nowNanos) {
        int budgetLeft = Math.max(0, snapshot.spec().maxRestarts() - round.budgetUsed());
        List<Node> admitted = assessment.admitted(snapshot.spec().maxNodes());
        GroupView calm = new GroupView(round.number(), assessment.members(), 0, false, budgetLeft);
        boolean urgent = round.suspended() || !(strategy.decide(calm) instanceof RestartDecision.Keep);
        boolean brokenLinks = false;
        if (!urgent && !admitted.isEmpty()) {
            Gathering wait = gathering.become(Gathering.Kind.SCALE_UP, nowNanos);
            long deadline = wait.deadlineNanos(config.scaleUpDelay());
            boolean full = admitted.size()
                            + assessment.survivors().size()
                            + assessment.done().size()
                    == snapshot.spec().maxNodes();
            if (nowNanos - deadline < 0 && !(full && assessment.preparing().isEmpty())) {
                return new Plan(
                        new Decision.Wait(deadline), wait, admitted.size() + " newcomers ready, collecting more");
            }
        } else if (!urgent && assessment.brokenLinks()) {
            Gathering wait = gathering.become(Gathering.Kind.BROKEN_LINK, nowNanos);
            long deadline = wait.deadlineNanos(config.leaseTtl());
            if (nowNanos - deadline < 0) {
                return new Plan(
                        new Decision.Wait(deadline), wait, "workers lost a peer; waiting for a loss that explains it");
            }
            brokenLinks = true;
        }
        GroupView view = new GroupView(round.number(), assessment.members(), admitted.size(), brokenLinks, budgetLeft);
        RestartDecision decision = strategy.decide(view);
        if (decision instanceof RestartDecision.Fail fail) {
            int exitCode = snapshot.spec().maxRestarts() > 0 ? EXIT_BUDGET_USED : EXIT_WORKER_FAILURE;
            return end(
                    new Verdict(false, exitCode, fail.reason(), RoundBuilder.failuresOf(snapshot, round)),
                    Gathering.nothing(nowNanos));
        }
        if (decision instanceof RestartDecision.RestartAll all) {
            Round stopped = RoundBuilder.suspend(
                    snapshot,
                    round,
                    assessment,
                    true,
                    new RestartDecision.Reform(Set.of(), Set.of(), all.charge(), all.reason()));
            return new Plan(new Decision.Publish(stopped), Gathering.nothing(nowNanos), all.reason());
        }
        if (decision instanceof RestartDecision.Reform reform) {
            return planReform(snapshot, round, assessment, reform, gathering, nowNanos);
        }
        if (round.suspended()) {
            RestartDecision.Reform resume = new RestartDecision.Reform(Set.of(), Set.of(), 0, round.cause());
            return planReform(snapshot, round, assessment, resume, gathering, nowNanos);
        }
        return new Plan(new Decision.Idle(), Gathering.nothing(nowNanos), decision.reason());
    }

    private Plan planReform(
            Snapshot snapshot,
            Round round,
            Assessment assessment,
            RestartDecision.Reform reform,
            Gathering gathering,
            long nowNanos) {
        int minNodes = snapshot.spec().minNodes();
        List<Node> admitted = assessment.admitted(snapshot.spec().maxNodes());
        int working = assessment.survivors().size() + admitted.size();
        if (working > 0 && working + assessment.done().size() >= minNodes) {
            Round sealed = RoundBuilder.seal(snapshot, round, assessment.survivors(), admitted, reform);
            return publishSealed(round, sealed, gathering, nowNanos);
        }
        boolean nobodyElse = working == 0
                && reform.restart().isEmpty()
                && snapshot.nodes().stream()
                        .noneMatch(node -> usable(node) && !reform.leave().contains(node.nodeId()));
        if (nobodyElse && reform.leave().isEmpty() && anyBroken(snapshot)) {
            return brokenEnd(snapshot, nowNanos);
        }
        if (nobodyElse && !reform.leave().isEmpty()) {
            int exitCode = snapshot.spec().maxRestarts() > 0 ? EXIT_BUDGET_USED : EXIT_WORKER_FAILURE;
            return end(
                    new Verdict(false, exitCode, reform.reason(), RoundBuilder.failuresOf(snapshot, round)),
                    Gathering.nothing(nowNanos));
        }
        boolean news = !round.suspended()
                || RoundBuilder.membersChanged(round, assessment)
                || !reform.restart().isEmpty()
                || !reform.leave().isEmpty();
        if (news) {
            Round suspended = RoundBuilder.suspend(snapshot, round, assessment, false, reform);
            return new Plan(
                    new Decision.Publish(suspended),
                    gathering.become(Gathering.Kind.BELOW_MINIMUM, nowNanos),
                    reform.reason());
        }
        List<Node> loading = assessment.preparing();
        if (working + loading.size() + assessment.done().size() >= minNodes && !loading.isEmpty()) {
            return waitForReady(loading, gathering, nowNanos);
        }
        return belowMinimum(snapshot, round, assessment.survivors(), gathering, nowNanos);
    }

    private Plan planStopped(
            Snapshot snapshot, Round round, Assessment assessment, Gathering gathering, long nowNanos) {
        List<Node> stopping = new ArrayList<>();
        List<Node> members = new ArrayList<>();
        for (Participant participant : round.participants()) {
            snapshot.node(participant).filter(Planner::usable).ifPresent(node -> {
                boolean gone = node.record().stoppedRound() >= round.number();
                // A fresh group is STARTING until its ports are reserved; the round would publish none.
                (gone && node.phase() != NodePhase.STARTING ? members : stopping).add(node);
            });
        }
        if (!stopping.isEmpty()) {
            return new Plan(
                    new Decision.Wait(Long.MAX_VALUE),
                    gathering.become(Gathering.Kind.STOPPED, nowNanos),
                    "waiting for the worker processes of "
                            + String.join(
                                    ", ", stopping.stream().map(Node::nodeId).toList()) + " to be gone");
        }
        if (members.isEmpty() && assessment.newcomers().isEmpty() && anyBroken(snapshot)) {
            return brokenEnd(snapshot, nowNanos);
        }
        int room = Math.max(
                0,
                snapshot.spec().maxNodes() - members.size() - assessment.done().size());
        List<Node> admitted = assessment
                .newcomers()
                .subList(0, Math.min(room, assessment.newcomers().size()));
        int working = members.size() + admitted.size();
        if (working == 0 || working + assessment.done().size() < snapshot.spec().minNodes()) {
            return belowMinimum(snapshot, round, members, gathering, nowNanos);
        }
        Round sealed = RoundBuilder.seal(
                snapshot, round, members, admitted, new RestartDecision.Reform(Set.of(), Set.of(), 0, round.cause()));
        return publishSealed(round, sealed, gathering, nowNanos);
    }

    private static Plan publishSealed(Round previous, Round sealed, Gathering gathering, long nowNanos) {
        if (sealed.masterPort() == previous.masterPort()
                && sealed.masterAddress().equals(previous.masterAddress())) {
            return new Plan(
                    new Decision.Wait(Long.MAX_VALUE),
                    gathering.become(Gathering.Kind.MASTER_ENDPOINT, nowNanos),
                    "waiting for " + sealed.participants().get(0).nodeId() + " to reserve a new master endpoint");
        }
        return new Plan(new Decision.Publish(sealed), Gathering.nothing(nowNanos), sealed.cause());
    }

    /** How long workers load is their affair. */
    private static Plan waitForReady(List<Node> laggards, Gathering gathering, long nowNanos) {
        return new Plan(
                new Decision.Wait(Long.MAX_VALUE),
                gathering.become(Gathering.Kind.READINESS, nowNanos),
                "waiting for the workers of "
                        + String.join(", ", laggards.stream().map(Node::nodeId).toList())
                        + " to report READY (a program that never calls getWorkerInfo() needs --restart-policy hard)");
    }

    private Plan belowMinimum(Snapshot snapshot, Round round, List<Node> there, Gathering gathering, long nowNanos) {
        String reason =
                RoundBuilder.missing(snapshot.spec().minNodes(), there, config.joinTimeout()) + "; " + round.cause();
        return waitOrEnd(
                gathering.become(Gathering.Kind.BELOW_MINIMUM, nowNanos),
                config.joinTimeout(),
                nowNanos,
                reason,
                new Verdict(false, EXIT_BELOW_MINIMUM, reason, RoundBuilder.causesFirst(snapshot.failures())));
    }

    private static Plan waitOrEnd(Gathering wait, Duration timeout, long nowNanos, String reason, Verdict verdict) {
        long deadline = wait.deadlineNanos(timeout);
        return nowNanos - deadline < 0 ? new Plan(new Decision.Wait(deadline), wait, reason) : end(verdict, wait);
    }

    private static Plan end(Verdict verdict, Gathering gathering) {
        return new Plan(new Decision.End(verdict), gathering, verdict.reason());
    }

    private static Plan brokenEnd(Snapshot snapshot, long nowNanos) {
        return end(
                new Verdict(
                        false,
                        EXIT_WORKER_FAILURE,
                        "no node can start its workers",
                        RoundBuilder.causesFirst(snapshot.failures())),
                Gathering.nothing(nowNanos));
    }

    /**
     * All that was to be done is done. A node that finished cannot be asked to work again, so that losing the rest
     * after it does not fail the run while the finished nodes are enough for it. A suspended round may have lost members
     * that are not done: what is left of it says nothing.
     */
    private static boolean finished(Snapshot snapshot, Round round, Assessment assessment) {
        boolean whole = !round.suspended() || round.change() == WorldChange.NONE;
        if (whole && assessment.all(MemberState.DONE)) {
            return true;
        }
        return assessment.survivors().isEmpty()
                && !assessment.any(MemberState.FAILED)
                && !assessment.done().isEmpty()
                && assessment.done().size() >= snapshot.spec().minNodes()
                && snapshot.nodes().stream().noneMatch(Planner::usable);
    }

    private static boolean usable(Node node) {
        return switch (node.phase()) {
            case STARTING, READY, ACTIVE, STANDBY, FENCED -> true;
            case DRAINING, DONE, BROKEN -> false;
        };
    }

    private static boolean anyBroken(Snapshot snapshot) {
        return snapshot.nodes().stream().anyMatch(node -> node.phase() == NodePhase.BROKEN);
    }
}
