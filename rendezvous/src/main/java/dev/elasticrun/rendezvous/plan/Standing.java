/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Round;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How the live nodes stand to a round, and which of them the next one is to be without.
 *
 * @param members what has become of its members; newcomers are those that may join now
 * @param holds nodes that may not
 * @param brokenLinks what workers reported of peers whose nodes are alive
 * @param leftOut the node that the next round is to be without because of such a link
 * @param surplus members for which there is no room any more, since the run was scaled
 */
record Standing(
        MemberStates members,
        List<AdmissionDelay> holds,
        BrokenLinks brokenLinks,
        Optional<BrokenLinks.LeftOut> leftOut,
        Set<String> surplus) {

    static Standing of(
            PlannerConfig config,
            Snapshot snapshot,
            Round round,
            Optional<BrokenLinks.LeftOut> leftOut,
            Observations seen,
            long nowNanos,
            boolean elasticWorkers) {
        Set<String> out =
                new HashSet<>(leftOut.map(left -> Set.of(left.nodeId())).orElse(Set.of()));
        MemberStates all = MemberStates.of(snapshot, round, out, elasticWorkers);
        Set<String> surplus = all.surplus(round, snapshot.target().maxNodes());
        out.addAll(surplus);
        MemberStates members = surplus.isEmpty() ? all : MemberStates.of(snapshot, round, out, elasticWorkers);
        Admission admission = Admission.of(snapshot, round, members, seen, config, nowNanos);
        return new Standing(
                members.withNewcomers(admission.admissible()),
                admission.holds(),
                BrokenLinks.in(round, members),
                leftOut,
                surplus);
    }

    Standing withLinks(BrokenLinks links) {
        return new Standing(members, holds, links, leftOut, surplus);
    }
}
