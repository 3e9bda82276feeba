/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Carries shipments of one checkpoint over the links of a mesh: both directions of all links at once, the first on the
 * user's thread, each other one on a thread {@code peer-transfer}. What arrived stays in the store when a link breaks.
 */
final class Transfer {
    private final PeerMesh mesh;
    private final CheckpointStore checkpointStore;
    private final CheckpointId id;
    private final List<CheckpointInventory> inventories;
    private final IntFunction<StatePart> held;
    // Guarded by this.
    private @Nullable Throwable failure;

    private interface Task {
        void run() throws BrokenLinkException;
    }

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
        List<Task> tasks = new ArrayList<>();
        Map<Integer, IncomingBlob> incomings = new HashMap<>();
        for (int peer = 0; peer < mesh.size(); peer++) {
            addIncoming(peer, shipments, incomings, tasks);
            addOutgoing(peer, shipments, tasks);
        }
        runAll(tasks);
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
            got.put(
                    entry.getKey(),
                    new StatePart(entry.getKey(), -1, false, arrival.digest(), checkpointStore.take(arrival)));
        }
        return got;
    }

    private void addIncoming(
            int peer, List<TransferPlan> shipments, Map<Integer, IncomingBlob> incomings, List<Task> tasks)
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

    private void addOutgoing(int peer, List<TransferPlan> shipments, List<Task> tasks) throws BrokenLinkException {
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

    private void runAll(List<Task> tasks) throws BrokenLinkException {
        List<Thread> helpers = new ArrayList<>();
        for (Task task : tasks.subList(Math.min(1, tasks.size()), tasks.size())) {
            helpers.add(Daemons.start("peer-transfer", () -> run(task)));
        }
        try {
            if (!tasks.isEmpty()) {
                run(tasks.get(0));
            }
        } finally {
            helpers.forEach(this::join);
        }
        Throwable broken = failure();
        if (broken instanceof BrokenLinkException link) {
            throw link;
        } else if (broken instanceof RuntimeException wrong) {
            throw wrong;
        } else if (broken instanceof Error wrong) {
            throw wrong;
        }
    }

    // A failed task ends all: the round is over. Peers are notified of the lost rank before they miss this one.
    private void run(Task task) {
        try {
            task.run();
        } catch (BrokenLinkException e) {
            if (isFirst(e) && !mesh.isClosed()) {
                mesh.tellLost(e.rank());
            }
            mesh.close();
        } catch (RuntimeException | Error e) {
            isFirst(e);
            mesh.close();
        }
    }

    private synchronized boolean isFirst(Throwable broken) {
        boolean isFirst = failure == null;
        if (isFirst) {
            failure = broken;
        }
        return isFirst;
    }

    private synchronized @Nullable Throwable failure() {
        return failure;
    }

    private void join(Thread helper) {
        boolean isInterrupted = false;
        while (helper.isAlive()) {
            try {
                helper.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
                mesh.close();
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
