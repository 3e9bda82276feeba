/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodeComparison;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.Cause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Plans for a suspended round under {@code hard}: nothing starts before all that ran is gone. */
final class StoppedRoundPlanner {
    private final PlannerConfig config;

    StoppedRoundPlanner(PlannerConfig config) {
        this.config = config;
    }

    Plan plan(PlanInput now) {
        Round round = now.round();
        List<Node> stopping = new ArrayList<>();
        List<Node> stopped = new ArrayList<>();
        for (Participant participant : round.participants()) {
            now.snapshot().node(participant).filter(Node::usable).ifPresent(node -> {
                boolean gone = node.record().rounds().stopped() >= round.number();
                // A fresh group is STARTING until its ports are reserved; the round would publish none.
                (gone && node.phase() != NodePhase.STARTING ? stopped : stopping).add(node);
            });
        }
        if (!stopping.isEmpty()) {
            return now.waitFor(
                    Gathering.Kind.STOPPED,
                    "waiting for the worker processes of " + Node.names(stopping) + " to be gone");
        }
        List<Node> fit = oldest(
                now,
                stopped.stream()
                        .filter(node -> !node.excluded(round) && !round.drains(node.nodeId()))
                        .toList());
        if (fit.isEmpty()
                && now.memberStates().newcomers().isEmpty()
                && now.snapshot().any(NodePhase.BROKEN)
                && !now.snapshot().any(NodePhase.BACKING_OFF)) {
            return now.end(Verdicts.nobodyStarts(now.snapshot()));
        }
        List<Node> reliable =
                fit.stream().filter(node -> !keepsFailing(node, now)).toList();
        List<Node> members = enough(now, reliable) ? reliable : fit;
        if (!enough(now, members) && fit.size() < stopped.size()) {
            // Only outside of the round is an excluded node one that waits, and comes back.
            return now.publish(RoundBuilder.suspend(now, true, RoundBuilder.unchanged(round.causes())));
        }
        if (!enough(now, members)) {
            List<Node> there = new ArrayList<>(members);
            there.addAll(admitted(now, members));
            return ReformPlanner.belowMinimum(now, there, config);
        }
        List<Cause> causes = new ArrayList<>(round.causes());
        causes.addAll(leftOut(fit, members));
        return ReformPlanner.seal(
                now, RoundBuilder.seal(now, members, admitted(now, members), RoundBuilder.unchanged(causes)));
    }

    /** As many as the run is to have, in the same order: it may have been scaled down. */
    private static List<Node> oldest(PlanInput now, List<Node> nodes) {
        int room = Math.max(1, now.maxNodes() - now.memberStates().done().size());
        List<Node> kept = nodes.stream()
                .sorted(Comparator.comparingLong(Node::createRevision))
                .limit(room)
                .toList();
        return nodes.stream().filter(kept::contains).toList();
    }

    private boolean keepsFailing(Node node, PlanInput now) {
        return !config.rounds().rejoinBackOff().isZero()
                && Troubles.of(now.snapshot())
                        .of(node)
                        .filter(trouble -> NodeComparison.isFailing(now.round(), trouble))
                        .isPresent();
    }

    private static boolean enough(PlanInput now, List<Node> members) {
        int working = members.size() + admitted(now, members).size();
        return working > 0 && working + now.memberStates().done().size() >= now.minNodes();
    }

    private static List<Node> admitted(PlanInput now, List<Node> members) {
        List<Node> newcomers = now.memberStates().newcomers();
        int room = Math.max(
                0, now.maxNodes() - members.size() - now.memberStates().done().size());
        return newcomers.subList(0, Math.min(room, newcomers.size()));
    }

    private static List<Cause> leftOut(List<Node> fit, List<Node> members) {
        List<String> names = fit.stream()
                .filter(node -> !members.contains(node))
                .map(Node::nodeId)
                .toList();
        return names.isEmpty() ? List.of() : List.of(new Cause.NodesUnreliable(names));
    }
}
