/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodeComparison;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.MemberState;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the next round document remembers of those before it. Pure. */
final class HistoryBuilder {
    /** More would only make the document grow: the oldest are forgotten. */
    private static final int MAX_ENTRIES = 64;

    private final PlanInput now;
    private final Set<String> next;
    private final long seenRevision;
    private final TroubleNotes troubles;

    private HistoryBuilder(PlanInput now, List<Participant> next) {
        this.now = now;
        this.troubles = new TroubleNotes(now.round().history());
        this.next = next.stream().map(Participant::nodeId).collect(Collectors.toSet());
        this.seenRevision = now.snapshot().nodes().stream()
                .mapToLong(Node::createRevision)
                .max()
                .orElse(0);
    }

    /** @param next participants of the next round, or what is left of this one if it is suspended */
    static FailureHistory of(PlanInput now, List<Participant> next, boolean suspended) {
        HistoryBuilder builder = new HistoryBuilder(now, next);
        builder.carryOver();
        builder.judgeMembers();
        builder.noteExclusions();
        return new FailureHistory(
                newest(builder.troubles.all()),
                newest(List.copyOf(builder.links())),
                suspended ? newest(builder.absences()) : List.of(),
                builder.collateralRestarts());
    }

    private void carryOver() {
        Troubles before = Troubles.of(now.snapshot());
        for (Node node : now.snapshot().nodes()) {
            Optional<FailureHistory.Trouble> known = before.of(node);
            if (known.isEmpty()) {
                continue;
            }
            FailureHistory.Trouble trouble = known.get();
            boolean joins = next.contains(node.nodeId())
                    && now.round().participant(node.nodeId()).isEmpty();
            if (AdmissionDelay.isForgotten(node.nodeId(), trouble, now.seen(), now.nowNanos())) {
                troubles.forget(trouble.nodeId());
            } else if (joins) {
                boolean cooled = AdmissionDelay.on(node, before, now.seen(), now.snapshot(), now.config())
                        .filter(hold -> hold.over(now.nowNanos()))
                        .isPresent();
                troubles.joins(
                        trouble,
                        node.nodeId(),
                        node.record().spec().hostLabel(),
                        cooled && NodeComparison.isFailing(now.round(), trouble));
            }
        }
    }

    private void judgeMembers() {
        for (GroupView.Member member : now.memberStates().members()) {
            boolean stays = next.contains(member.nodeId());
            switch (member.state()) {
                case FAILED -> {
                    int failures = now.stopped(member.nodeId()) || now.innocent(member.nodeId()) ? 0 : 1;
                    int strikes = stays || now.stopped(member.nodeId()) ? 0 : 1;
                    if (failures + strikes > 0) {
                        note(member.nodeId(), strikes, failures, "", "");
                    }
                }
                case LOST -> {
                    if (!stays) {
                        note(member.nodeId(), 1, 0, "", "");
                    }
                }
                case EXCLUDED ->
                    now.standing()
                            .leftOut()
                            .filter(left -> left.nodeId().equals(member.nodeId()))
                            .ifPresent(left -> note(left.nodeId(), linkStrikes(left), 0, "", left.otherEnd()));
                case HEALTHY, REPLACING, LEAVING, FENCED, DONE -> {}
            }
        }
    }

    // The first return of such a node is not at once: nothing shows that the link was repaired. The link has to wait
    // longer and longer, whichever end is left out.
    private int linkStrikes(BrokenLinks.LeftOut left) {
        int own =
                troubles.of(left.nodeId()).map(FailureHistory.Trouble::strikes).orElse(0);
        int before = troubles.of(left.otherEnd())
                .filter(other -> other.brokenLinkTo().equals(left.nodeId()))
                .map(FailureHistory.Trouble::strikes)
                .orElse(0);
        return 2 + Math.max(0, before - own);
    }

    private void noteExclusions() {
        for (Node node : now.snapshot().nodes()) {
            if (!next.contains(node.nodeId()) && node.excluded(now.snapshot().round())) {
                note(node.nodeId(), 0, 0, node.record().reports().excluded(), "");
            }
        }
    }

    private void note(String nodeId, int strikes, int failures, String excluded, String brokenLinkTo) {
        String label = now.round()
                .participant(nodeId)
                .map(place -> place.spec().hostLabel())
                .or(() -> now.snapshot()
                        .node(nodeId)
                        .map(node -> node.record().spec().hostLabel()))
                .orElse("");
        troubles.note(
                nodeId, label, seenRevision, new FailureHistory.Counts(strikes, failures), excluded, brokenLinkTo);
    }

    private Set<FailureHistory.Link> links() {
        Set<FailureHistory.Link> links = new LinkedHashSet<>();
        now.round().history().brokenLinks().stream()
                .filter(link -> now.seen().isRecent(link, now.nowNanos()))
                .forEach(links::add);
        if (!now.memberStates().urgent()) {
            links.addAll(now.standing().brokenLinks().links());
        }
        return links;
    }

    private List<FailureHistory.Absence> absences() {
        Map<String, FailureHistory.Absence> absences = new LinkedHashMap<>();
        now.round().history().absences().forEach(absence -> absences.put(absence.nodeId(), absence));
        for (GroupView.Member member : now.memberStates().members()) {
            if (!next.contains(member.nodeId())) {
                absences.put(member.nodeId(), new FailureHistory.Absence(member.nodeId(), how(member.state())));
            }
        }
        return List.copyOf(absences.values());
    }

    static FailureHistory.Absence.How how(MemberState state) {
        return switch (state) {
            case FAILED, REPLACING -> FailureHistory.Absence.How.FAILED;
            case LEAVING, DONE -> FailureHistory.Absence.How.LEFT;
            case EXCLUDED -> FailureHistory.Absence.How.LEFT_OUT;
            case LOST, HEALTHY, FENCED -> FailureHistory.Absence.How.LOST;
        };
    }

    private int collateralRestarts() {
        boolean stood = now.nowNanos() - now.seen().roundSinceNanos() >= AdmissionDelay.FORGET.toNanos();
        int before =
                stood && !now.round().suspended() ? 0 : now.round().history().collateralRestarts();
        List<String> failed = now.memberStates().members().stream()
                .filter(member -> member.state() == MemberState.FAILED)
                .filter(member -> !now.stopped(member.nodeId()))
                .map(GroupView.Member::nodeId)
                .toList();
        if (failed.isEmpty()) {
            return before;
        }
        boolean explained = now.memberStates().any(MemberState.LOST)
                || now.memberStates().any(MemberState.LEAVING)
                || now.memberStates().any(MemberState.EXCLUDED)
                || failed.stream().anyMatch(nodeId -> !now.innocent(nodeId));
        boolean ran = failed.stream().anyMatch(nodeId -> !now.neverRan(nodeId));
        return explained ? 0 : ran ? before + 1 : before;
    }

    private static <T> List<T> newest(List<T> all) {
        return all.subList(Math.max(0, all.size() - MAX_ENTRIES), all.size());
    }
}
