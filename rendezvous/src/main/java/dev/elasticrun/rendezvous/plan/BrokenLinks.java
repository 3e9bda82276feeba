/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.PeerLost;
import dev.elasticrun.rendezvous.record.Round;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Links between two live members that workers reported to be broken in this round.
 *
 * @param reports pairs of the node that reports and the one that it names
 * @param first those that came first from each node: a worker that lost a peer closes its links, so that what others of
 *     its node and of its peers' report later may only follow from that
 */
record BrokenLinks(Set<Report> reports, Set<Report> first) {
    static final BrokenLinks NONE = new BrokenLinks(Set.of(), Set.of());

    record Report(String reporter, String named) {}

    static BrokenLinks in(Round round, MemberStates memberStates) {
        if (!memberStates.brokenLinks()) {
            return NONE;
        }
        Map<Integer, String> nodeOfRank = new HashMap<>();
        for (Participant participant : round.participants()) {
            for (int rank = participant.firstRank(); rank < participant.endRank(); rank++) {
                nodeOfRank.put(rank, participant.nodeId());
            }
        }
        Set<String> alive = memberStates.survivors().stream().map(Node::nodeId).collect(Collectors.toSet());
        Set<Report> reports = new LinkedHashSet<>();
        Map<String, Report> first = new HashMap<>();
        for (Node node : memberStates.survivors()) {
            for (PeerLost lost : node.record().reports().peersLost()) {
                String named = nodeOfRank.getOrDefault(lost.lostRank(), "");
                if (lost.round() == round.number() && !lost.isDoubt() && alive.contains(named)) {
                    Report report = new Report(node.nodeId(), named);
                    reports.add(report);
                    first.putIfAbsent(node.nodeId(), report);
                }
            }
        }
        return new BrokenLinks(reports, Set.copyOf(first.values()));
    }

    Set<FailureHistory.Link> links() {
        return reports.stream()
                .map(report -> FailureHistory.Link.between(report.reporter(), report.named()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * The node to leave out of the next round, if a link was reported again after the members were given a round to
     * repair it. The links that count are the first of these sets that is not empty: those whose ends name each other
     * in their first reports, those because of which a node was left out before, those whose ends name each other at
     * all, and those that have been known for the shortest time. Of their ends it is the one that more nodes name, else
     * the younger one.
     */
    Optional<LeftOut> secondTime(Snapshot snapshot, Round round, Observations seen, long nowNanos) {
        Set<FailureHistory.Link> again = links();
        again.removeIf(link -> !seen.isRecent(link, nowNanos) && !known(round, link));
        Set<FailureHistory.Link> judged = mutual(again, first);
        judged = judged.isEmpty() ? judgedBefore(again, round) : judged;
        judged = judged.isEmpty() ? mutual(again, reports) : judged;
        judged = judged.isEmpty() ? seen.newest(again) : judged;
        Set<FailureHistory.Link> links = judged;
        Set<String> ends = new HashSet<>();
        links.forEach(link -> {
            ends.add(link.oneNode());
            ends.add(link.otherNode());
        });
        return ends.stream()
                .flatMap(end -> snapshot.node(end).stream())
                .max(Comparator.comparingInt((Node node) -> namedBy(node.nodeId()))
                        .thenComparingLong(Node::createRevision))
                .map(node -> new LeftOut(
                        node.nodeId(),
                        links.stream()
                                .filter(link -> link.has(node.nodeId()))
                                .findFirst()
                                .orElseThrow()
                                .otherThan(node.nodeId())));
    }

    // Of these links those whose ends name each other.
    private static Set<FailureHistory.Link> mutual(Set<FailureHistory.Link> links, Set<Report> reports) {
        Set<FailureHistory.Link> mutual = new LinkedHashSet<>(links);
        mutual.removeIf(link -> !reports.contains(new Report(link.oneNode(), link.otherNode()))
                || !reports.contains(new Report(link.otherNode(), link.oneNode())));
        return mutual;
    }

    /** Of these links those because of which a node was left out already. */
    private static Set<FailureHistory.Link> judgedBefore(Set<FailureHistory.Link> links, Round round) {
        Set<FailureHistory.Link> known = new LinkedHashSet<>(links);
        known.removeIf(link -> !known(round, link));
        return known;
    }

    /** A node that is not in the next round, because of its link to another one. */
    record LeftOut(String nodeId, String otherEnd) {}

    private int namedBy(String nodeId) {
        return (int) reports.stream()
                .filter(report -> report.named().equals(nodeId))
                .map(Report::reporter)
                .distinct()
                .count();
    }

    private static boolean known(Round round, FailureHistory.Link link) {
        return round.history().troubles().stream()
                .anyMatch(trouble -> !trouble.brokenLinkTo().isEmpty()
                        && FailureHistory.Link.between(trouble.nodeId(), trouble.brokenLinkTo())
                                .equals(link));
    }
}
