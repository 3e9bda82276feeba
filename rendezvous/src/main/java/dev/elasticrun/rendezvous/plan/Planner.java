/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.KeptOut;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.WorldChange;
import dev.elasticrun.rendezvous.restart.MemberState;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides what the coordinator does next. Pure: the same snapshot, memory and time give the same plan. */
public final class Planner {
    private final PlannerConfig config;
    private final RestartPolicyStrategy strategy;
    private final FirstRoundPlanner first;
    private final RunningRoundPlanner running;
    private final StoppedRoundPlanner stopped;
    private final CommandPlanner commands;

    public Planner(PlannerConfig config, RestartPolicyStrategy strategy) {
        this.config = config;
        this.strategy = strategy;
        this.first = new FirstRoundPlanner(config);
        this.running = new RunningRoundPlanner(config, strategy);
        this.stopped = new StoppedRoundPlanner(config);
        this.commands = new CommandPlanner(config, strategy);
    }

    public Plan plan(Snapshot snapshot, Gathering gathering, Observations seen, long nowNanos) {
        if (snapshot.verdict() != null) {
            return Plan.idle("the run has ended", nowNanos);
        }
        for (Node node : snapshot.nodes()) {
            Failure stopRun = node.record().reports().stopRun();
            if (stopRun != null) {
                return Plan.end(Verdicts.stoppedBy(stopRun, snapshot.failures()), nowNanos);
            }
        }
        PlanInput now = planInput(snapshot, gathering, seen, nowNanos);
        Round stored = newest(snapshot);
        // Commands apply to members that are only out of sight, too: all but a stop wait for them.
        Optional<Command> command = snapshot.nextCommand()
                .filter(next ->
                        next.kind() == Command.Kind.STOP || outOfSight(now).isEmpty());
        return command.isPresent()
                ? commands.plan(command.get(), now, this::planRound)
                : RestartAccount.settle(planRound(now), now, stored);
    }

    /** Nodes that are ready, and are not put into a round for now. */
    public List<KeptOut> keptOut(Snapshot snapshot, Gathering gathering, Observations seen, long nowNanos) {
        Round round = snapshot.round();
        if (snapshot.verdict() != null || round == null) {
            return List.of();
        }
        boolean isTroubled = !round.history().troubles().isEmpty()
                || snapshot.nodes().stream().anyMatch(node -> node.excluded(round));
        return isTroubled
                ? planInput(snapshot, gathering, seen, nowNanos).standing().holds().stream()
                        .map(AdmissionDelay::keptOut)
                        .toList()
                : List.of();
    }

    private PlanInput planInput(Snapshot snapshot, Gathering gathering, Observations seen, long nowNanos) {
        Round round = RestartAccount.upToDate(snapshot, newest(snapshot), seen, nowNanos);
        return PlanInput.of(config, snapshot, round, gathering, seen, nowNanos, strategy.elasticWorkers());
    }

    private static Round newest(Snapshot snapshot) {
        Round newest = snapshot.round();
        return newest == null ? Round.NONE : newest;
    }

    private Plan planRound(PlanInput now) {
        Plan plan = now.round().number() == 0 ? first.plan(now) : plan(now);
        return Admission.remind(plan, now.standing().holds(), now.nowNanos());
    }

    private Plan plan(PlanInput now) {
        Round round = now.round();
        boolean whole = !round.suspended() || round.change() == WorldChange.NONE;
        if (whole && now.memberStates().all(MemberState.DONE)) {
            return now.end(Verdicts.success());
        }
        List<String> unseen = outOfSight(now);
        if (!unseen.isEmpty()) {
            return new Plan(
                    new Decision.Wait(graceEnd(now)),
                    now.gathering().become(Gathering.Kind.LOSS_GRACE, now.nowNanos()),
                    "giving " + String.join(", ", unseen) + " one lease TTL to come back");
        }
        if (finishedWithoutTheRest(now)) {
            return now.end(Verdicts.success());
        }
        try {
            return round.suspended() && !strategy.workersOutliveRounds() ? stopped.plan(now) : running.plan(now);
        } catch (PolicyAdvice.UnusableException e) {
            return now.end(Verdicts.policyUnusable(
                    String.valueOf(e.getMessage()), now.snapshot().failures()));
        }
    }

    private long graceEnd(PlanInput now) {
        return now.seen().viewSinceNanos() + config.lease().ttl().toNanos();
    }

    /**
     * Members that a coordinator misses which has not looked for longer than one lease TTL. Several at once are more
     * likely to have lost their leases to the same outage than to have died. Empty when they are to be counted lost.
     */
    private List<String> outOfSight(PlanInput now) {
        boolean otherNews = !now.round().suspended()
                && (now.memberStates().any(MemberState.FAILED)
                        || now.memberStates().any(MemberState.LEAVING)
                        || now.memberStates().any(MemberState.EXCLUDED));
        if (otherNews
                || now.nowNanos() - graceEnd(now) >= 0
                || !now.memberStates().any(MemberState.LOST)) {
            return List.of();
        }
        Set<Long> dead = now.snapshot().provedDead();
        // Those that are back already by another registration were hit, too.
        List<String> hit = now.round().participants().stream()
                .filter(participant -> !dead.contains(participant.createRevision()))
                .filter(participant -> now.snapshot().node(participant).isEmpty())
                .map(Participant::nodeId)
                .toList();
        boolean several = hit.size() > 1 || now.gathering().kind() == Gathering.Kind.LOSS_GRACE;
        return several ? hit.stream().filter(nodeId -> !isBack(now, nodeId)).toList() : List.of();
    }

    /** Whether it is there and can be put into a round. */
    private static boolean isBack(PlanInput now, String nodeId) {
        return now.snapshot().node(nodeId).isPresent()
                && now.memberStates().preparing().stream()
                        .noneMatch(node -> node.nodeId().equals(nodeId));
    }

    // A node that finished cannot be asked to work again, so that losing the rest after it does not fail the run while
    // the finished nodes are enough for it. A suspended round may have lost members that are not done: its remaining
    // members prove nothing.
    private static boolean finishedWithoutTheRest(PlanInput now) {
        MemberStates memberStates = now.memberStates();
        return memberStates.survivors().isEmpty()
                && !memberStates.any(MemberState.FAILED)
                && !memberStates.done().isEmpty()
                && memberStates.done().size() >= now.minNodes()
                && now.snapshot().usable().isEmpty();
    }
}
