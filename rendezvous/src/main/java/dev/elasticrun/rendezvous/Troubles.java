/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.util.List;
import java.util.Optional;

/**
 * Which of a run's troubles a node has to answer for: its own, or those of an agent that is gone and that it follows on
 * the same host.
 */
record Troubles(List<History.Trouble> own, List<History.Trouble> orphaned) {

    static Troubles of(Snapshot snapshot) {
        Round round = snapshot.round();
        if (round == null || round.history().troubles().isEmpty()) {
            return new Troubles(List.of(), List.of());
        }
        List<History.Trouble> all = round.history().troubles();
        return new Troubles(
                all,
                all.stream()
                        .filter(trouble -> snapshot.node(trouble.nodeId()).isEmpty())
                        .toList());
    }

    Optional<History.Trouble> of(Node node) {
        if (own.isEmpty()) {
            return Optional.empty();
        }
        Optional<History.Trouble> known = own.stream()
                .filter(trouble -> trouble.nodeId().equals(node.nodeId()))
                .findFirst();
        return known.isPresent()
                ? known
                : orphaned.stream()
                        .filter(trouble ->
                                trouble.hostLabel().equals(node.record().hostLabel())
                                        && node.createRevision() > trouble.seenRevision())
                        .reduce((older, newer) -> older.strikes() > newer.strikes() ? older : newer);
    }
}
