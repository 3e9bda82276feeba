/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.util.List;

/** Plans for a run that has no round yet: the minimum, then the last call, then readiness. */
final class FirstRoundPlanner {
    private final PlannerConfig config;

    FirstRoundPlanner(PlannerConfig config) {
        this.config = config;
    }

    Plan plan(Snapshot snapshot, Gathering gathering, long nowNanos) {
        RunSpec spec = snapshot.spec();
        List<Node> candidates = snapshot.usable();
        if (candidates.isEmpty() && snapshot.any(NodePhase.BROKEN)) {
            return Plan.end(Verdicts.nobodyStarts(snapshot), nowNanos);
        }
        int done = (int) snapshot.nodes().stream()
                .filter(node -> node.phase() == NodePhase.DONE)
                .count();
        if (candidates.isEmpty() && done >= spec.minNodes()) {
            return Plan.end(Verdicts.success(), nowNanos);
        }
        if (candidates.isEmpty() || candidates.size() + done < spec.minNodes()) {
            Gathering wait = gathering.become(Gathering.Kind.MINIMUM, nowNanos);
            String reason = RoundBuilder.missing(spec.minNodes(), candidates, config.joinTimeout());
            Verdict verdict = Verdicts.belowMinimum(reason, List.of());
            return Plan.waitOrEnd(wait, config.joinTimeout(), nowNanos, reason, verdict);
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
            return Plan.waitForReady(laggards, gathering, nowNanos);
        }
        Round sealed = RoundBuilder.first(snapshot, wanted);
        return new Plan(new Decision.Publish(sealed), Gathering.nothing(nowNanos), sealed.cause());
    }
}
