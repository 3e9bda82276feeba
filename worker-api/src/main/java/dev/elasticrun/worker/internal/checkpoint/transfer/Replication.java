/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.internal.checkpoint.Checkpoint;
import dev.elasticrun.worker.internal.checkpoint.CheckpointStore;
import dev.elasticrun.worker.internal.checkpoint.FileBlob;
import dev.elasticrun.worker.internal.checkpoint.ParityPart;
import dev.elasticrun.worker.internal.checkpoint.StatePart;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalPlacement;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalRedundancy;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParityGroups;
import dev.elasticrun.worker.internal.checkpoint.agreement.TransferPlan;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Brings copies of all ranks' local states, or parity of them, to other ranks, before a checkpoint is agreed on. User thread. */
public final class Replication {
    private static final System.Logger LOGGER = System.getLogger(Replication.class.getName());
    private static final AtomicBoolean HAS_WARNED = new AtomicBoolean();

    private final PeerMesh mesh;
    private final CheckpointStore checkpointStore;
    private final long world;
    private final LocalPlacement placement;
    private final Optional<ParityGroups> groups;

    public Replication(PeerMesh mesh, CheckpointStore checkpointStore, long world, LocalRedundancy redundancy) {
        this.mesh = mesh;
        this.checkpointStore = checkpointStore;
        this.world = world;
        this.placement = redundancy.placement(mesh.nodes());
        this.groups = redundancy.groups(mesh.nodes());
    }

    /** All ranks call it. The checkpoint then has this rank's local state, which it takes over, and what it has of others'. */
    public void run(Checkpoint checkpoint, StatePart own) throws BrokenLinkException {
        if (groups.isPresent()) {
            warnIfOneNode(groups.get());
            boolean isStreamed = own.content() instanceof FileBlob;
            Mixtures mixtures = new Mixtures(checkpointStore, checkpoint.id(), isStreamed, false);
            List<ParityPart> blocks = new ParityReplication(mesh, mixtures, groups.get()).run(own);
            checkpoint.keep(world, mesh.rank(), List.of(own), blocks);
        } else {
            warnIfFewer();
            copy(checkpoint, own);
        }
    }

    private void copy(Checkpoint checkpoint, StatePart own) throws BrokenLinkException {
        List<TransferPlan> shipments = new ArrayList<>();
        for (int rank = 0; rank < mesh.size(); rank++) {
            for (int to : placement.successors(rank)) {
                shipments.add(TransferPlan.of(to, rank, List.of(rank), new BitSet()));
            }
        }
        Map<Integer, StatePart> copies =
                new Transfer(mesh, checkpointStore, checkpoint.id(), List.of(), owner -> own).run(shipments);
        List<StatePart> locals = new ArrayList<>(List.of(own));
        copies.forEach((owner, part) -> locals.add(part.keptBy(owner, true)));
        checkpoint.keep(world, mesh.rank(), locals);
    }

    private void warnIfOneNode(ParityGroups all) {
        if (!all.protectsNodes() && mesh.rank() == 0 && HAS_WARNED.compareAndSet(false, true)) {
            LOGGER.log(
                    Level.WARNING,
                    "local states are lost with this node (wanted: parity over nodes): there is no other, "
                            + (mesh.size() > 1 ? "parity is over its workers" : "and no other worker"));
        }
    }

    private void warnIfFewer() {
        if (placement.possible() < placement.replicas() && mesh.rank() == 0 && HAS_WARNED.compareAndSet(false, true)) {
            LOGGER.log(
                    Level.WARNING,
                    "local states are copied to " + placement.possible() + " other nodes (wanted: "
                            + placement.replicas() + "): there are no more, other copies are with workers of the same");
        }
    }
}
