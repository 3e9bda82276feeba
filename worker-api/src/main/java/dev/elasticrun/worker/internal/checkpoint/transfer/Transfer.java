/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.CheckpointStore;
import dev.elasticrun.worker.internal.checkpoint.IncomingBlob;
import dev.elasticrun.worker.internal.checkpoint.StatePart;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.checkpoint.agreement.TransferPlan;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Carries shipments of one checkpoint over the links of a mesh: both directions of all links at once. What arrived stays
 * in the store when a link breaks.
 */
final class Transfer {
    private final PeerMesh mesh;
    private final CheckpointStore checkpointStore;
    private final CheckpointId id;
    private final List<CheckpointInventory> inventories;
    private final IntFunction<StatePart> held;
    private final List<IncomingBlob> taken = new ArrayList<>();

    /**
     * @param inventories what each rank stated that it has; empty = they stated nothing of what is sent
     * @param held what this rank sends, by owner; read on the user thread
     */
    Transfer(
            PeerMesh mesh,
            CheckpointStore checkpointStore,
            CheckpointId id,
            List<CheckpointInventory> inventories,
            IntFunction<StatePart> held) {
        this.mesh = mesh;
        this.checkpointStore = checkpointStore;
        this.id = id;
        this.inventories = List.copyOf(inventories);
        this.held = held;
    }

    /** Returns, when all of this rank's shipments are through, what it got, by owner. The contents are the caller's. */
    Map<Integer, StatePart> run(List<TransferPlan> shipments) throws BrokenLinkException {
        LinkTasks tasks = new LinkTasks(mesh);
        Map<Integer, IncomingBlob> incomings = new HashMap<>();
        for (int peer = 0; peer < mesh.size(); peer++) {
            addIncoming(peer, shipments, incomings, tasks);
            addOutgoing(peer, shipments, tasks);
        }
        tasks.run();
        Map<Integer, StatePart> got = new HashMap<>();
        for (Map.Entry<Integer, IncomingBlob> entry : incomings.entrySet()) {
            IncomingBlob arrival = entry.getValue();
            if (!arrival.isWhole()) {
                checkpointStore.drop(arrival);
                throw new BrokenLinkException(
                        shipments.stream()
                                .filter(transferPlan -> transferPlan.to() == mesh.rank())
                                .findFirst()
                                .orElseThrow()
                                .sources()
                                .get(0),
                        "checkpoint " + id + " arrived damaged");
            }
            taken.add(arrival);
            got.put(
                    entry.getKey(),
                    new StatePart(entry.getKey(), -1, false, arrival.digest(), checkpointStore.take(arrival)));
        }
        return got;
    }

    /** The contents that it got are not used in this round: they have arrived when the next one begins. */
    void keepArrivals() {
        taken.forEach(checkpointStore::keep);
    }

    private void addIncoming(
            int peer, List<TransferPlan> shipments, Map<Integer, IncomingBlob> incomings, LinkTasks tasks)
            throws BrokenLinkException {
        List<TransferPlan> incoming = shipments.stream()
                .filter(transferPlan -> transferPlan.to() == mesh.rank()
                        && transferPlan.sources().contains(peer))
                .toList();
        if (!incoming.isEmpty()) {
            ChunkReader reader = new ChunkReader(mesh.link(peer), mesh.rank(), checkpointStore, id, this::statedLength);
            tasks.add(() -> {
                for (TransferPlan transferPlan : incoming) {
                    IncomingBlob arrival = reader.begin(transferPlan);
                    synchronized (incomings) {
                        incomings.put(transferPlan.owner(), arrival);
                    }
                    reader.read(transferPlan, arrival);
                }
            });
        }
    }

    private long statedLength(int source, int owner) {
        return inventories.isEmpty()
                ? -1L
                : inventories
                        .get(source)
                        .find(id)
                        .map(copy -> copy.length(owner))
                        .orElse(-1L);
    }

    private void addOutgoing(int peer, List<TransferPlan> shipments, LinkTasks tasks) throws BrokenLinkException {
        List<TransferPlan> outgoing = shipments.stream()
                .filter(transferPlan ->
                        transferPlan.to() == peer && transferPlan.sources().contains(mesh.rank()))
                .toList();
        if (!outgoing.isEmpty()) {
            Map<Integer, StatePart> parts = new HashMap<>();
            outgoing.forEach(transferPlan -> parts.put(transferPlan.owner(), held.apply(transferPlan.owner())));
            ChunkWriter writer = new ChunkWriter(mesh.link(peer), mesh.rank(), id);
            tasks.add(() -> {
                for (TransferPlan transferPlan : outgoing) {
                    writer.write(transferPlan, Objects.requireNonNull(parts.get(transferPlan.owner())));
                }
            });
        }
    }
}
