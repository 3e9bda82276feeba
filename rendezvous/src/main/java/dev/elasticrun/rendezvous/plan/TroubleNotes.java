/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.FailureHistory.Counts;
import dev.elasticrun.rendezvous.record.FailureHistory.Trouble;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The failure histories of nodes while the next round's are made from the last one's. What is noted of one node counts for
 * every other one as what happened to the others since its own count began. Owned by one thread.
 */
final class TroubleNotes {
    private final Map<String, Trouble> byNode = new LinkedHashMap<>();

    TroubleNotes(FailureHistory before) {
        before.troubles().forEach(trouble -> byNode.put(trouble.nodeId(), trouble));
    }

    /** Oldest first. */
    List<Trouble> all() {
        return List.copyOf(byNode.values());
    }

    Optional<Trouble> of(String nodeId) {
        return Optional.ofNullable(byNode.get(nodeId));
    }

    /** It is as good as any other node from now on. */
    void forget(String nodeId) {
        byNode.remove(nodeId);
    }

    /** A node joins that was in trouble, or follows one that was: no worker wants it out of the run any more. */
    void joins(Trouble trouble, String nodeId, String hostLabel, boolean failuresStartOver) {
        byNode.remove(trouble.nodeId());
        Counts own = new Counts(trouble.strikes(), failuresStartOver ? 0 : trouble.failures());
        Counts others = failuresStartOver
                ? new Counts(trouble.others().strikes(), onRecord().failures())
                : trouble.others();
        byNode.put(
                nodeId,
                new Trouble(nodeId, hostLabel, trouble.seenRevision(), own, others, "", trouble.brokenLinkTo()));
    }

    /**
     * More happened to a node.
     *
     * @param seenRevision the newest node is this old, where the node's history begins here
     * @param excluded why a worker wants it out of the run; empty = as before
     * @param brokenLinkTo the other end of a broken link because of which it is left out; empty = as before
     */
    void note(String nodeId, String hostLabel, long seenRevision, Counts more, String excluded, String brokenLinkTo) {
        Trouble known = byNode.remove(nodeId);
        Counts others = known == null ? onRecord() : known.others();
        byNode.replaceAll((other, trouble) -> new Trouble(
                other,
                trouble.hostLabel(),
                trouble.seenRevision(),
                trouble.own(),
                trouble.others().plus(more),
                trouble.excluded(),
                trouble.brokenLinkTo()));
        byNode.put(
                nodeId,
                known == null
                        ? new Trouble(nodeId, hostLabel, seenRevision, more, others, excluded, brokenLinkTo)
                        : new Trouble(
                                nodeId,
                                hostLabel,
                                known.seenRevision(),
                                known.own().plus(more),
                                others,
                                excluded.isEmpty() ? known.excluded() : excluded,
                                brokenLinkTo.isEmpty() ? known.brokenLinkTo() : brokenLinkTo));
    }

    private Counts onRecord() {
        return byNode.values().stream().map(Trouble::own).reduce(Counts.NONE, Counts::plus);
    }
}
