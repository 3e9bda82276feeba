/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.restart.RestartDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Plans for a suspended round under {@code hard}: nothing starts before all that ran is gone. */
final class StoppedRoundPlanner {
    private final PlannerConfig config;

    StoppedRoundPlanner(PlannerConfig config) {
        this.config = config;
    }

    Plan plan(Situation now) {
        Snapshot snapshot = now.snapshot();
        Round round = now.round();
        Assessment assessment = now.assessment();
        List<Node> stopping = new ArrayList<>();
        List<Node> members = new ArrayList<>();
        for (Participant participant : round.participants()) {
            snapshot.node(participant).filter(Node::usable).ifPresent(node -> {
                boolean gone = node.record().stoppedRound() >= round.number();
                // A fresh group is STARTING until its ports are reserved; the round would publish none.
                (gone && node.phase() != NodePhase.STARTING ? members : stopping).add(node);
            });
        }
        if (!stopping.isEmpty()) {
            return now.waitFor(
                    Gathering.Kind.STOPPED,
                    "waiting for the worker processes of "
                            + String.join(
                                    ", ", stopping.stream().map(Node::nodeId).toList()) + " to be gone");
        }
        if (members.isEmpty() && assessment.newcomers().isEmpty() && snapshot.any(NodePhase.BROKEN)) {
            return now.end(Verdicts.nobodyStarts(snapshot));
        }
        int room =
                Math.max(0, now.maxNodes() - members.size() - assessment.done().size());
        List<Node> admitted = assessment
                .newcomers()
                .subList(0, Math.min(room, assessment.newcomers().size()));
        int working = members.size() + admitted.size();
        if (working == 0 || working + assessment.done().size() < now.minNodes()) {
            return ReformPlanner.belowMinimum(now, members, config);
        }
        RestartDecision.Reform start = new RestartDecision.Reform(Set.of(), Set.of(), 0, round.cause());
        return ReformPlanner.seal(now, RoundBuilder.seal(snapshot, round, members, admitted, start));
    }
}
