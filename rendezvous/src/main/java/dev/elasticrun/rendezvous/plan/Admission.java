/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which nodes outside the round may be put into one now.
 *
 * @param admissible in join order
 * @param holds those that are kept waiting
 */
record Admission(List<Node> admissible, List<AdmissionDelay> holds) {

    static Admission of(
            Snapshot snapshot,
            Round round,
            MemberStates memberStates,
            Observations seen,
            PlannerConfig config,
            long nowNanos) {
        Troubles troubles = Troubles.of(snapshot);
        List<Node> free = new ArrayList<>();
        List<AdmissionDelay> holds = new ArrayList<>();
        for (Node node : memberStates.newcomers()) {
            Optional<AdmissionDelay> hold =
                    AdmissionDelay.on(node, troubles, seen, snapshot, config).filter(found -> !found.over(nowNanos));
            hold.ifPresentOrElse(holds::add, () -> free.add(node));
        }
        int there = memberStates.survivors().size()
                + free.size()
                + memberStates.done().size();
        boolean enough = there >= snapshot.target().minNodes() && there >= holds.size();
        if (holds.isEmpty() || (enough && !round.suspended())) {
            return new Admission(List.copyOf(free), List.copyOf(holds));
        }
        List<Node> kept = holds.stream()
                .filter(hold -> !hold.waivable())
                .map(AdmissionDelay::node)
                .toList();
        return new Admission(
                memberStates.newcomers().stream()
                        .filter(node -> !kept.contains(node))
                        .toList(),
                holds.stream().filter(hold -> !hold.waivable()).toList());
    }

    /** Adds the nodes that are kept waiting to a plan that waits, or does nothing, and the end of the shortest wait. */
    static Plan remind(Plan plan, List<AdmissionDelay> holds, long nowNanos) {
        if (holds.isEmpty() || plan.decision() instanceof Decision.Publish || plan.decision() instanceof Decision.End) {
            return plan;
        }
        long until = plan.decision() instanceof Decision.Wait wait ? wait.untilNanos() : Long.MAX_VALUE;
        for (AdmissionDelay hold : holds) {
            boolean sooner =
                    until == Long.MAX_VALUE || (hold.untilNanos() != Long.MAX_VALUE && hold.untilNanos() - until < 0);
            until = sooner ? hold.untilNanos() : until;
        }
        String names = holds.stream()
                .map(hold -> hold.node().nodeId() + " (" + hold.why() + ")")
                .collect(Collectors.joining(", "));
        String times = holds.stream()
                .map(hold -> hold.node().nodeId() + " for " + Plan.seconds(hold.untilNanos(), nowNanos) + " s more")
                .collect(Collectors.joining(", "));
        return new Plan(
                new Decision.Wait(until),
                plan.gathering(),
                plan.reason() + "; kept out: " + names,
                plan.times() + "; " + times);
    }
}
