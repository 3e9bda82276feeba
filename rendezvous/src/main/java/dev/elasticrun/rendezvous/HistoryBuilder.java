/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.restart.GroupView;
import dev.elasticrun.rendezvous.restart.MemberState;
import java.util.ArrayList;
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

    private final Situation now;
    private final Set<String> next;
    private final long seenRevision;
    private final Map<String, History.Trouble> troubles = new LinkedHashMap<>();

    private HistoryBuilder(Situation now, List<Participant> next) {
        this.now = now;
        this.next = next.stream().map(Participant::nodeId).collect(Collectors.toSet());
        this.seenRevision = now.snapshot().nodes().stream()
                .mapToLong(Node::createRevision)
                .max()
                .orElse(0);
    }

    /** @param next participants of the next round, or what is left of this one if it is suspended */
    static History of(Situation now, List<Participant> next, boolean suspended) {
        HistoryBuilder builder = new HistoryBuilder(now, next);
        builder.carryOver();
        builder.judgeMembers();
        builder.noteExclusions();
        List<History.Trouble> all = new ArrayList<>(builder.troubles.values());
        List<History.Link> links = new ArrayList<>(builder.links());
        return new History(
                newest(all),
                newest(links),
                suspended ? newest(builder.absences()) : List.of(),
                builder.collateralRestarts());
    }

    private void carryOver() {
        for (History.Trouble trouble : now.round().history().troubles()) {
            troubles.put(trouble.nodeId(), trouble);
        }
        Troubles before = Troubles.of(now.snapshot());
        if (troubles.isEmpty()) {
            return;
        }
        for (Node node : now.snapshot().nodes()) {
            Optional<History.Trouble> known = before.of(node);
            if (known.isEmpty()) {
                continue;
            }
            History.Trouble trouble = known.get();
            boolean joins = next.contains(node.nodeId())
                    && now.round().participant(node.nodeId()).isEmpty();
            if (forgotten(node.nodeId(), trouble)) {
                troubles.remove(trouble.nodeId());
            } else if (joins) {
                troubles.remove(trouble.nodeId());
                boolean cooled = Hold.on(node, before, now.seen(), now.snapshot(), now.config())
                        .filter(hold -> hold.over(now.nowNanos()))
                        .isPresent();
                troubles.put(
                        node.nodeId(),
                        new History.Trouble(
                                node.nodeId(),
                                node.record().hostLabel(),
                                trouble.seenRevision(),
                                trouble.strikes(),
                                cooled && trouble.failures() >= Hold.MAX_FAILURES ? 0 : trouble.failures(),
                                "",
                                trouble.brokenLinkTo()));
            }
        }
    }

    private boolean forgotten(String nodeId, History.Trouble trouble) {
        Long working = now.seen().workingSince().get(nodeId);
        return working != null
                && trouble.excluded().isEmpty()
                && now.nowNanos() - working >= Hold.forgetAfter(trouble).toNanos();
    }

    private void judgeMembers() {
        for (GroupView.Member member : now.assessment().members()) {
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
                    now.leftOut()
                            .filter(left -> left.nodeId().equals(member.nodeId()))
                            .ifPresent(left -> note(left.nodeId(), linkStrikes(left), 0, "", left.otherEnd()));
                case HEALTHY, REPLACING, LEAVING, FENCED, DONE -> {}
            }
        }
    }

    /**
     * The first return of such a node is not at once: nothing says that the link was mended. It is the link that has to
     * wait longer and longer, whichever end is left out.
     */
    private int linkStrikes(BrokenLinks.LeftOut left) {
        History.Trouble own = troubles.get(left.nodeId());
        History.Trouble other = troubles.get(left.otherEnd());
        int before = other == null || !other.brokenLinkTo().equals(left.nodeId()) ? 0 : other.strikes();
        return 2 + Math.max(0, before - (own == null ? 0 : own.strikes()));
    }

    private void noteExclusions() {
        for (Node node : now.snapshot().nodes()) {
            if (!next.contains(node.nodeId()) && node.excluded(now.snapshot().round())) {
                note(node.nodeId(), 0, 0, node.record().excluded(), "");
            }
        }
    }

    private void note(String nodeId, int strikes, int failures, String excluded, String brokenLinkTo) {
        History.Trouble known = troubles.remove(nodeId);
        String label = now.round()
                .participant(nodeId)
                .map(Participant::hostLabel)
                .or(() -> now.snapshot().node(nodeId).map(node -> node.record().hostLabel()))
                .orElse("");
        troubles.put(
                nodeId,
                known == null
                        ? new History.Trouble(nodeId, label, seenRevision, strikes, failures, excluded, brokenLinkTo)
                        : new History.Trouble(
                                nodeId,
                                label,
                                seenRevision,
                                known.strikes() + strikes,
                                known.failures() + failures,
                                excluded.isEmpty() ? known.excluded() : excluded,
                                brokenLinkTo.isEmpty() ? known.brokenLinkTo() : brokenLinkTo));
    }

    private Set<History.Link> links() {
        Set<History.Link> links = new LinkedHashSet<>();
        if (now.nowNanos() - now.seen().roundSinceNanos() < Hold.FORGET.toNanos()) {
            links.addAll(now.round().history().brokenLinks());
        }
        if (!now.assessment().urgent()) {
            links.addAll(now.brokenLinks().links());
        }
        return links;
    }

    private List<History.Absence> absences() {
        Map<String, History.Absence> absences = new LinkedHashMap<>();
        now.round().history().absences().forEach(absence -> absences.put(absence.nodeId(), absence));
        for (GroupView.Member member : now.assessment().members()) {
            if (!next.contains(member.nodeId())) {
                absences.put(member.nodeId(), new History.Absence(member.nodeId(), how(member.state())));
            }
        }
        return List.copyOf(absences.values());
    }

    static History.Absence.How how(MemberState state) {
        return switch (state) {
            case FAILED, REPLACING -> History.Absence.How.FAILED;
            case LEAVING, DONE -> History.Absence.How.LEFT;
            case EXCLUDED -> History.Absence.How.LEFT_OUT;
            case LOST, HEALTHY, FENCED -> History.Absence.How.LOST;
        };
    }

    private int collateralRestarts() {
        boolean stood = now.nowNanos() - now.seen().roundSinceNanos() >= Hold.FORGET.toNanos();
        int before =
                stood && !now.round().suspended() ? 0 : now.round().history().collateralRestarts();
        List<String> failed = now.assessment().members().stream()
                .filter(member -> member.state() == MemberState.FAILED)
                .filter(member -> !now.stopped(member.nodeId()))
                .map(GroupView.Member::nodeId)
                .toList();
        if (failed.isEmpty()) {
            return before;
        }
        boolean explained = now.assessment().any(MemberState.LOST)
                || now.assessment().any(MemberState.LEAVING)
                || now.assessment().any(MemberState.EXCLUDED)
                || failed.stream().anyMatch(nodeId -> !now.innocent(nodeId));
        boolean ran = failed.stream().anyMatch(nodeId -> !now.neverRan(nodeId));
        return explained ? 0 : ran ? before + 1 : before;
    }

    private static <T> List<T> newest(List<T> all) {
        return all.subList(Math.max(0, all.size() - MAX_ENTRIES), all.size());
    }
}
