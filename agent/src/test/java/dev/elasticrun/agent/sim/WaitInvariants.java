/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static dev.elasticrun.agent.sim.RunInvariants.require;

import dev.elasticrun.rendezvous.codec.StoredRecords;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.WorkerRecord;
import dev.elasticrun.rendezvous.sim.SimulatedStoreClient.Origin;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Under a policy that waits for workers no round is without one whose successor its coordinator knows to be loading. */
final class WaitInvariants {
    private final SimulatedCluster cluster;
    /** How many workers each registration of a node had in the round that was sealed last. */
    private final Map<Long, Integer> sizes = new HashMap<>();

    WaitInvariants(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    void onIncarnation() {
        sizes.clear();
    }

    void onSealed(Round round, Origin writer) {
        if (!cluster.strategy.waitsForWorkers()) {
            return;
        }
        KeyRange nodes = KeyRange.prefix(cluster.prefix() + "nodes/");
        for (Participant place : round.participants()) {
            KeyValue key = cluster.store.get(nodes.from() + place.nodeId());
            boolean isSmaller = place.size() < sizes.getOrDefault(place.createRevision(), 0);
            if (isSmaller && key != null && writer.knew(nodes, key.modRevision())) {
                List<String> loading = loading(place, StoredRecords.node(key.value()));
                require(loading.isEmpty(), "round " + round.number() + " does not wait for " + loading);
            }
        }
        sizes.clear();
        round.participants().forEach(place -> sizes.put(place.createRevision(), place.size()));
    }

    // What is between the record in the store and the agent's newest is what the coordinator knows.
    private List<String> loading(Participant place, NodeRecord known) {
        return cluster.node(place.nodeId())
                .map(node -> node.agent().record())
                .map(newest -> newest.group().workers().stream()
                        .filter(worker -> isLoading(worker, newest) && isLoading(find(worker, known), known))
                        .map(worker -> place.nodeId() + "/" + worker.slot() + "." + worker.attempt())
                        .toList())
                .orElse(List.of());
    }

    private static @Nullable WorkerRecord find(WorkerRecord wanted, NodeRecord in) {
        return in.group().workers().stream()
                .filter(worker -> worker.slot() == wanted.slot() && worker.attempt() == wanted.attempt())
                .findFirst()
                .orElse(null);
    }

    private static boolean isLoading(@Nullable WorkerRecord worker, NodeRecord in) {
        return worker != null
                && !worker.offered()
                && worker.port() == 0
                && in.failures().stream()
                        .noneMatch(failure -> failure.slot() == worker.slot() && failure.attempt() == worker.attempt());
    }
}
