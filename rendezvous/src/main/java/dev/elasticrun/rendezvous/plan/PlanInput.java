/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.MemberState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a plan is made from.
 *
 * @param round the newest round, sealed or suspended, with what is used of the budget by now; {@link Round#NONE} before
 *     the first
 * @param gathering what the coordinator waits for until now
 * @param seen since when it has seen what
 * @param elasticWorkers whether the policy has workers replaced one by one
 */
record PlanInput(
        PlannerConfig config,
        Snapshot snapshot,
        Round round,
        Standing standing,
        Gathering gathering,
        Observations seen,
        long nowNanos,
        boolean elasticWorkers) {

    static PlanInput of(
            PlannerConfig config,
            Snapshot snapshot,
            Round round,
            Gathering gathering,
            Observations seen,
            long nowNanos,
            boolean elasticWorkers) {
        Standing standing = Standing.of(config, snapshot, round, Optional.empty(), seen, nowNanos, elasticWorkers);
        return new PlanInput(config, snapshot, round, standing, gathering, seen, nowNanos, elasticWorkers);
    }

    /** The same without that node. */
    PlanInput without(BrokenLinks.LeftOut left) {
        Standing rest = Standing.of(config, snapshot, round, Optional.of(left), seen, nowNanos, elasticWorkers)
                .withLinks(standing.brokenLinks());
        return new PlanInput(config, snapshot, round, rest, gathering, seen, nowNanos, elasticWorkers);
    }

    MemberStates memberStates() {
        return standing.members();
    }

    int minNodes() {
        return snapshot.target().minNodes();
    }

    int maxNodes() {
        return snapshot.target().maxNodes();
    }

    /** Whether a command takes a member out of the round: then it cannot stand, whatever the policy is. */
    boolean commanded() {
        return !standing.surplus().isEmpty()
                || memberStates().in(MemberState.LEAVING).stream().anyMatch(round::drains);
    }

    int budgetLeft() {
        return restarts().left();
    }

    GroupView.Restarts restarts() {
        int max = snapshot.spec().terms().maxRestarts();
        return new GroupView.Restarts(round.used().total(), round.budgetUsed(), max);
    }

    /**
     * The members as a policy sees them. Failures that only follow from others are free; but when a whole restart was
     * free for that reason and no cause showed, the next one is charged, or a crash loop would never end.
     */
    List<GroupView.Member> members() {
        boolean loops = round.history().collateralRestarts() > 0
                && (round.suspended() || nowNanos - seen.roundSinceNanos() < AdmissionDelay.FORGET.toNanos())
                && memberStates().onlyCollateral();
        List<GroupView.Member> members = new ArrayList<>();
        for (GroupView.Member member : memberStates().members()) {
            boolean isExcused = member.collateral() && !(loops && !neverRan(member.nodeId()));
            loops &= isExcused || !member.collateral();
            members.add(PolicyFailures.in(this, member, isExcused));
        }
        return List.copyOf(members);
    }

    /** Whether the group that the round names has failed of no fault of its own. */
    boolean innocent(String nodeId) {
        return memberStates().members().stream()
                .anyMatch(member -> member.nodeId().equals(nodeId) && member.collateral());
    }

    /** Whether the group that the round names has failed before any of its processes ran. */
    boolean neverRan(String nodeId) {
        return round.participant(nodeId)
                .flatMap(place -> snapshot.node(place).filter(node -> node.neverRan(place)))
                .isPresent();
    }

    /** Under {@code hard}: nothing of this round runs there any more, and what failed was counted when it stopped. */
    boolean stopped(String nodeId) {
        return snapshot.node(nodeId)
                .filter(node -> round.suspended() && node.record().rounds().stopped() >= round.number())
                .isPresent();
    }

    /** A wait without a deadline. */
    Plan waitFor(Gathering.Kind kind, String reason) {
        return new Plan(new Decision.Wait(Long.MAX_VALUE), gathering.become(kind, nowNanos), reason);
    }

    Plan publish(Round next) {
        return new Plan(new Decision.Publish(next), Gathering.nothing(nowNanos), next.cause());
    }

    Plan end(Verdict verdict) {
        return Plan.end(verdict, nowNanos);
    }
}
