/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.HeldVersion;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.StateSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The nodes from which a round can get a newer checkpoint than its members have, so that it does not go back behind what a live
 * agent serves. Pure.
 */
final class StateSources {
    private static final int MAX_SOURCES = 4;

    private StateSources() {}

    /** @param previous the round before, sealed or suspended */
    static List<StateSource> of(Snapshot snapshot, Round previous, List<Participant> participants) {
        Set<String> placed = participants.stream().map(Participant::nodeId).collect(Collectors.toSet());
        HeldVersion own = snapshot.nodes().stream()
                .filter(node -> placed.contains(node.nodeId()))
                .map(node -> node.record().checkpoint())
                .reduce(HeldVersion.NONE, HeldVersion::orNewer);
        Set<String> sourcesBefore = previous.ranks().sources().stream()
                .filter(StateSource::wasMember)
                .map(StateSource::nodeId)
                .collect(Collectors.toSet());
        Set<String> workedLast = workedLast(previous, sourcesBefore);
        // Copies are never newer than what the nodes have that worked last.
        return snapshot.nodes().stream()
                .filter(node -> !placed.contains(node.nodeId()))
                .map(node -> source(node, workedLast.contains(node.nodeId()) || sourcesBefore.contains(node.nodeId())))
                .filter(source -> source.wasMember() || source.isAheadOf(own))
                .sorted(Comparator.comparing((StateSource source) -> !workedLast.contains(source.nodeId()))
                        .thenComparing(Comparator.comparing(StateSource::held).reversed()))
                .limit(MAX_SOURCES)
                .toList();
    }

    // The members that left a suspended round are among its sources.
    private static Set<String> workedLast(Round previous, Set<String> sourcesBefore) {
        Set<String> nodes = previous.participants().stream()
                .map(Participant::nodeId)
                .collect(Collectors.toCollection(HashSet::new));
        previous.history().absences().forEach(absence -> nodes.add(absence.nodeId()));
        if (previous.suspended()) {
            nodes.addAll(sourcesBefore);
        }
        return nodes;
    }

    private static StateSource source(Node node, boolean wasMember) {
        return new StateSource(
                node.nodeId(),
                node.record().spec().address(),
                node.record().spec().controlPort(),
                node.record().checkpoint(),
                wasMember);
    }
}
