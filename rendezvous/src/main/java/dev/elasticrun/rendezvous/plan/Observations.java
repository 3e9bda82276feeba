/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.restart.Cause;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Since when a coordinator has seen what it sees, on its own clock. A coordinator that takes over begins anew, so that
 * its waits are longer than those of one coordinator, never shorter.
 *
 * @param viewSinceNanos since when the coordinator has seen the store without a gap: since it was elected, or since the
 *     store answered again
 * @param round number of the newest round; 0 = none
 * @param roundSinceNanos since when that round has stood
 * @param waitingSince nodes with a history that could join: since when
 * @param workingSince nodes with a history that are in the sealed round: since when they have been in rounds
 * @param excludedSince nodes that a worker wanted out of the run: since when that is known
 * @param links broken links of the newest round's history: since when each is there
 * @param written what is known of the record of the newest round
 */
public record Observations(
        long viewSinceNanos,
        long round,
        long roundSinceNanos,
        Map<String, Long> waitingSince,
        Map<String, Long> workingSince,
        Map<String, Long> excludedSince,
        List<LinkSeen> links,
        Written written) {

    /** A broken link of the newest round's history, and since when it is there. */
    public record LinkSeen(FailureHistory.Link link, long sinceNanos) {
        private boolean isRecent(long nowNanos) {
            return nowNanos - sinceNanos < AdmissionDelay.FORGET.toNanos();
        }
    }

    /**
     * What is known of the record of the newest round, which may be written again under the same number.
     *
     * @param sinceNanos since when this node has known it as it is now, or later
     * @param checkpoint newest that the run completed; {@link RunVersion#NONE} unless restarts come back by progress
     */
    public record Written(long sinceNanos, RunVersion checkpoint) {}

    public Observations {
        waitingSince = Map.copyOf(waitingSince);
        workingSince = Map.copyOf(workingSince);
        excludedSince = Map.copyOf(excludedSince);
        links = List.copyOf(links);
    }

    public static Observations begin(long nowNanos) {
        return new Observations(
                nowNanos, 0, nowNanos, Map.of(), Map.of(), Map.of(), List.of(), new Written(nowNanos, RunVersion.NONE));
    }

    /** @param storeSinceNanos since when the store has answered without a gap */
    public Observations next(Snapshot snapshot, long storeSinceNanos, long nowNanos) {
        long viewSince = storeSinceNanos - viewSinceNanos > 0 ? storeSinceNanos : viewSinceNanos;
        Round newest = snapshot.round();
        long number = newest == null ? 0 : newest.number();
        long roundSince = number == round ? roundSinceNanos : nowNanos;
        Map<String, Long> waiting = new HashMap<>();
        Map<String, Long> working = new HashMap<>();
        Map<String, Long> excluded = new HashMap<>();
        Troubles troubles = Troubles.of(snapshot);
        for (Node node : snapshot.nodes()) {
            Optional<FailureHistory.Trouble> trouble = troubles.of(node);
            boolean asks = node.excluded(newest);
            boolean member = node.isIn(newest);
            if (asks || trouble.filter(known -> !known.excluded().isEmpty()).isPresent()) {
                // Of a node that a newer round was given, it is another wish than the one before.
                Long before = member && number != round ? null : excludedSince.get(node.nodeId());
                excluded.put(node.nodeId(), before == null ? nowNanos : before);
            }
            if (trouble.isEmpty() && !asks) {
                continue;
            }
            if (member) {
                working.put(node.nodeId(), workingSince.getOrDefault(node.nodeId(), nowNanos));
            } else if (node.phase() == NodePhase.READY || node.phase() == NodePhase.STANDBY) {
                waiting.put(node.nodeId(), waitingSince.getOrDefault(node.nodeId(), nowNanos));
            }
        }
        return new Observations(
                viewSince, number, roundSince, waiting, working, excluded, links(newest, nowNanos), written);
    }

    private List<LinkSeen> links(@Nullable Round newest, long nowNanos) {
        if (newest == null) {
            return List.of();
        }
        // Neither a round nor its suspension for links takes over one that is forgotten: one that it has was reported
        // again, and the time in which members can repair it begins with the round that they get for that.
        boolean isForLinks =
                newest.suspended() && newest.causes().stream().anyMatch(Cause.LinksBroken.class::isInstance);
        boolean isOld = newest.number() == round && !isForLinks;
        return newest.history().brokenLinks().stream()
                .map(link -> links.stream()
                        .filter(seen -> seen.link().equals(link) && (isOld || seen.isRecent(nowNanos)))
                        .findFirst()
                        .orElseGet(() -> new LinkSeen(link, nowNanos)))
                .toList();
    }

    /** Whether a round was formed because of this link not long ago. */
    boolean isRecent(FailureHistory.Link link, long nowNanos) {
        return links.stream().anyMatch(seen -> seen.link().equals(link) && seen.isRecent(nowNanos));
    }

    /** Of these links those that have been in the history of rounds for the shortest time. */
    Set<FailureHistory.Link> newest(Set<FailureHistory.Link> among) {
        List<LinkSeen> known =
                links.stream().filter(seen -> among.contains(seen.link())).toList();
        return known.stream()
                .filter(seen -> known.stream().noneMatch(other -> other.sinceNanos() - seen.sinceNanos() > 0))
                .map(LinkSeen::link)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    public Observations of(Written record) {
        return new Observations(
                viewSinceNanos, round, roundSinceNanos, waitingSince, workingSince, excludedSince, links, record);
    }
}
