/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import java.util.ArrayList;
import java.util.List;

/** Plans for what a soft policy answered: the next round at once if the members are enough, else a suspended one. */
final class ReformPlanner {
    private final PlannerConfig config;
    private final ReplacementPlanner replacements;

    /** @param waitsForWorkers whether a round waits for the fresh workers of its members */
    ReformPlanner(PlannerConfig config, boolean waitsForWorkers) {
        this.config = config;
        this.replacements = new ReplacementPlanner(config.rounds().replacementWait(), waitsForWorkers);
    }

    Plan plan(PlanInput now, RestartDecision.Reform reform) {
        return replacements.plan(now, reform).orElseGet(() -> planMembers(now, reform));
    }

    private Plan planMembers(PlanInput now, RestartDecision.Reform reform) {
        Snapshot snapshot = now.snapshot();
        Round round = now.round();
        MemberStates memberStates = now.memberStates();
        List<Node> admitted = memberStates.admitted(now.maxNodes());
        List<Node> staying = memberStates.survivors().stream()
                .filter(node -> !reform.restart().contains(node.nodeId())
                        && !reform.leave().contains(node.nodeId()))
                .toList();
        List<Node> restarting = restarting(now);
        if (staying.isEmpty() && !restarting.isEmpty()) {
            return Plan.waitForReady(restarting, now.gathering(), now.nowNanos());
        }
        int working = staying.size() + admitted.size();
        if (working > 0 && working + memberStates.done().size() >= now.minNodes()) {
            return seal(now, RoundBuilder.seal(now, staying, admitted, reform));
        }
        boolean nobodyElse = working == 0
                && !snapshot.any(NodePhase.BACKING_OFF)
                && reform.restart().isEmpty()
                && reform.regrow().isEmpty()
                && snapshot.usable().stream().allMatch(node -> reform.leave().contains(node.nodeId()));
        if (nobodyElse && reform.leave().isEmpty() && snapshot.any(NodePhase.BROKEN)) {
            return now.end(Verdicts.nobodyStarts(snapshot));
        }
        if (nobodyElse && !reform.leave().isEmpty()) {
            return now.end(Verdicts.budgetUsed(snapshot, round, reform.causes(), reform.reason()));
        }
        if (RoundBuilder.isNews(now, reform)) {
            Round suspended = RoundBuilder.suspend(now, false, reform);
            return new Plan(
                    new Decision.Publish(suspended),
                    now.gathering().become(Gathering.Kind.BELOW_MINIMUM, now.nowNanos()),
                    reform.reason());
        }
        List<Node> loading = memberStates.preparing();
        if (working + loading.size() + memberStates.done().size() >= now.minNodes() && !loading.isEmpty()) {
            return Plan.waitForReady(loading, now.gathering(), now.nowNanos());
        }
        List<Node> there = new ArrayList<>(staying);
        there.addAll(admitted);
        return belowMinimum(now, there, config);
    }

    /** No worker continues: the round waits for the fresh ones of its members, whichever other nodes are there. */
    static Plan startOver(PlanInput now, RestartDecision.Reform reform) {
        return now.publish(RoundBuilder.suspend(now, false, reform));
    }

    // Former members of a suspended round without participants, which start again by its order.
    private static List<Node> restarting(PlanInput now) {
        Round round = now.round();
        if (!round.suspended() || !round.participants().isEmpty()) {
            return List.of();
        }
        return now.snapshot().nodes().stream()
                .filter(node -> node.phase() == NodePhase.STARTING
                        || node.phase() == NodePhase.ACTIVE
                        || (node.usable() && round.awaitsFreshWorkersOf(node.record(), now.elasticWorkers())))
                .filter(node -> round.order(node.nodeId())
                        .filter(order -> order.kind() == Order.Kind.RESTART)
                        .isPresent())
                .toList();
    }

    /** A sealed round, once its first node has a master endpoint that was not used yet. */
    static Plan seal(PlanInput now, Round sealed) {
        if (hasNoMaster(sealed) || hasUsedMaster(now, sealed)) {
            String reason =
                    "waiting for " + sealed.participants().get(0).nodeId() + " to reserve a new master endpoint";
            return switch (now.gathering().kind()) {
                // These waits are over, and do not begin again when the endpoint is there.
                case MINIMUM, LAST_CALL, READINESS, SCALE_UP, BROKEN_LINK, BELOW_MINIMUM, LOSSES, LOSS_GRACE ->
                    new Plan(new Decision.Wait(Long.MAX_VALUE), now.gathering(), reason);
                default -> now.waitFor(Gathering.Kind.MASTER_ENDPOINT, reason);
            };
        }
        return now.publish(sealed);
    }

    // Whether its first node withdrew the endpoint that it had published, because a round may have used it.
    private static boolean hasNoMaster(Round sealed) {
        return sealed.master().port() == 0;
    }

    // Whether the endpoint may be that of an earlier round, or is about to be given up: an agent that learns that it
    // missed rounds reserves another.
    private static boolean hasUsedMaster(PlanInput now, Round sealed) {
        Round previous = now.round();
        return sealed.master().equals(previous.master())
                || now.snapshot()
                        .node(sealed.participants().get(0).nodeId())
                        .filter(first -> mayHaveUsed(first, previous) || hasToActOn(previous, first))
                        .isPresent();
    }

    private static boolean mayHaveUsed(Node first, Round previous) {
        return previous.usedMasters().stream()
                .filter(used -> used.createRevision() == first.createRevision())
                .anyMatch(used -> used.mayBeIn(first.record()));
    }

    private static boolean hasToActOn(Round previous, Node first) {
        NodeRecord record = first.record();
        return previous.participant(first.nodeId())
                .filter(member ->
                        first.createRevision() == member.createRevision() && record.generation() == member.generation())
                .filter(member ->
                        Math.max(record.rounds().acknowledged(), record.rounds().stopped()) < previous.number())
                .isPresent();
    }

    /** @param there members and newcomers that could continue if they were enough */
    static Plan belowMinimum(PlanInput now, List<Node> there, PlannerConfig config) {
        return Plan.waitOrEnd(
                now.gathering().become(Gathering.Kind.BELOW_MINIMUM, now.nowNanos()),
                config.rounds().joinTimeout(),
                now.nowNanos(),
                MembershipText.of(now, there) + "; " + now.round().cause(),
                now.snapshot().failures());
    }
}
