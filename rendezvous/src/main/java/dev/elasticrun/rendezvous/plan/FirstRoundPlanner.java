/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import java.util.List;

/** Plans for a run that has no round yet: the minimum, then the last call, then readiness. */
final class FirstRoundPlanner {
    private final PlannerConfig config;

    FirstRoundPlanner(PlannerConfig config) {
        this.config = config;
    }

    Plan plan(PlanInput now) {
        Snapshot snapshot = now.snapshot();
        NodeBounds target = snapshot.target();
        List<Node> usable = snapshot.usable();
        int done = now.memberStates().done().size();
        if (usable.isEmpty() && snapshot.any(NodePhase.BROKEN) && !snapshot.any(NodePhase.BACKING_OFF)) {
            return now.end(Verdicts.nobodyStarts(snapshot));
        }
        if (usable.isEmpty() && done >= target.minNodes()) {
            return now.end(Verdicts.success());
        }
        List<Node> kept =
                now.standing().holds().stream().map(AdmissionDelay::node).toList();
        List<Node> candidates = usable.stream()
                .filter(node -> !kept.contains(node) && !now.round().sendsAway(node.nodeId()))
                .toList();
        if (candidates.isEmpty() || candidates.size() + done < target.minNodes()) {
            return Plan.waitOrEnd(
                    now.gathering().become(Gathering.Kind.MINIMUM, now.nowNanos()),
                    config.rounds().joinTimeout(),
                    now.nowNanos(),
                    MembershipText.of(target.minNodes(), candidates),
                    List.of());
        }
        int room = Math.max(1, target.maxNodes() - done);
        if (candidates.size() < room && now.gathering().kind() != Gathering.Kind.READINESS) {
            Gathering wait = now.gathering().become(Gathering.Kind.LAST_CALL, now.nowNanos());
            long deadline = wait.deadlineNanos(config.rounds().lastCall());
            if (now.nowNanos() - deadline < 0) {
                return new Plan(
                        new Decision.Wait(deadline),
                        wait,
                        "last call: " + candidates.size() + " of at most " + target.maxNodes() + " nodes are there");
            }
        }
        List<Node> wanted = candidates.subList(0, Math.min(candidates.size(), room));
        List<Node> laggards = wanted.stream()
                .filter(node -> node.phase() == NodePhase.STARTING)
                .toList();
        if (!laggards.isEmpty()) {
            return Plan.waitForReady(laggards, now.gathering(), now.nowNanos());
        }
        return ReformPlanner.seal(now, RoundBuilder.first(now, wanted));
    }
}
