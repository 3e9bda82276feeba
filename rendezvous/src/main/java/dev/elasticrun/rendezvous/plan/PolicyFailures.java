/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.MemberState;
import dev.elasticrun.rendezvous.restart.WorkerFailure;
import java.util.List;

/** What a restart policy sees of the failures of a member: what the records of the run have of them. Pure. */
final class PolicyFailures {
    private PolicyFailures() {}

    /** The member with its failures. */
    static GroupView.Member in(PlanInput now, GroupView.Member member, boolean collateral) {
        List<WorkerFailure> failures = member.state() == MemberState.FAILED
                ? now.round()
                        .participant(member.nodeId())
                        .map(place -> failures(now, place))
                        .orElse(List.of())
                : List.of();
        return new GroupView.Member(
                member.nodeId(),
                member.state(),
                collateral,
                member.continuing(),
                failures,
                before(now, member.nodeId()));
    }

    private static List<WorkerFailure> failures(PlanInput now, Participant place) {
        return now.snapshot().node(place).stream()
                .flatMap(node -> node.failures(place))
                .map(failure -> new WorkerFailure(
                        failure.slot(),
                        place.rankOf(failure.slot(), failure.attempt()).orElse(-1),
                        kind(failure),
                        failure.exitCode(),
                        failure.message(),
                        failure.collateral()))
                .toList();
    }

    private static int before(PlanInput now, String nodeId) {
        return now.round()
                .history()
                .troubleOf(nodeId)
                .filter(trouble -> !AdmissionDelay.isForgotten(nodeId, trouble, now.seen(), now.nowNanos()))
                .map(FailureHistory.Trouble::failures)
                .orElse(0);
    }

    private static WorkerFailure.Kind kind(Failure failure) {
        return WorkerFailure.Kind.valueOf(failure.kind().name());
    }
}
