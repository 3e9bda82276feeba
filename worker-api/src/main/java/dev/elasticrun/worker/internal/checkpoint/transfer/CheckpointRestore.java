/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.Checkpoint;
import dev.elasticrun.worker.internal.checkpoint.CheckpointStore;
import dev.elasticrun.worker.internal.checkpoint.ParityPart;
import dev.elasticrun.worker.internal.checkpoint.StatePart;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointAgreement;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalAgreement;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalHoldings;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalRedundancy;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParityGroups;
import dev.elasticrun.worker.internal.checkpoint.agreement.TransferAgreement;
import dev.elasticrun.worker.internal.checkpoint.agreement.TransferPlan;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The start of a round: from the statements of all ranks to one checkpoint, with local states, that all ranks hold. */
public final class CheckpointRestore {
    private final PeerMesh mesh;
    private final CheckpointStore checkpointStore;
    private final long world;
    private final LocalRedundancy redundancy;

    public CheckpointRestore(PeerMesh mesh, CheckpointStore checkpointStore, long world, LocalRedundancy redundancy) {
        this.mesh = mesh;
        this.checkpointStore = checkpointStore;
        this.world = world;
        this.redundancy = redundancy;
    }

    /**
     * What was agreed on.
     *
     * @param start from which the store has started then; empty = no rank has one to continue from
     * @param lostLocals ranks of the world that made it whose local states no rank has
     */
    public record Result(Optional<Checkpoint> start, List<Integer> lostLocals) {}

    /** @param inventories what each rank has */
    public Result run(List<CheckpointInventory> inventories) throws BrokenLinkException {
        List<CheckpointInventory> newest = inventories;
        CheckpointAgreement agreement = CheckpointAgreement.of(newest);
        for (List<Integer> writers = writers(newest, agreement); !writers.isEmpty(); ) {
            List<CheckpointInventory> known =
                    writeDown(newest, agreement.agreed().orElseThrow(), writers);
            boolean isSettled = known.equals(newest);
            newest = known;
            agreement = CheckpointAgreement.of(newest);
            writers = isSettled ? List.of() : writers(newest, agreement);
        }
        checkpointStore.keepArrivalsOf(agreement.agreed());
        if (agreement.agreed().isEmpty()) {
            return new Result(Optional.empty(), List.of());
        }
        CheckpointId id = agreement.agreed().get();
        LocalAgreement planned = LocalAgreement.of(newest, agreement, world, redundancy.placement(mesh.nodes()));
        Optional<Checkpoint> held = checkpointStore.find(id);
        Transfer transfer =
                new Transfer(mesh, checkpointStore, id, inventories, owner -> part(held.orElseThrow(), owner));
        Map<Integer, StatePart> got =
                transfer.run(TransferAgreement.of(newest, agreement, planned).shipments());
        LocalAgreement locals;
        Map<Integer, StatePart> kept;
        List<ParityPart> blocks;
        LocalHoldings holdings = LocalHoldings.of(newest, id, agreement.survivors());
        Mixtures mixtures = new Mixtures(checkpointStore, id, holdings.areStreamed(), true);
        ParityRestore parity = new ParityRestore(mesh, mixtures, held);
        try {
            locals = parity.rebuild(planned, got);
            kept = kept(locals, held, got);
            Optional<ParityGroups> groups = redundancy.groups(mesh.nodes());
            blocks = groups.isEmpty() ? List.of() : parity.protect(locals, groups.get(), holdings, kept::get);
        } catch (BrokenLinkException | RuntimeException | Error e) {
            transfer.keepArrivals();
            parity.release();
            throw e;
        }
        int worldSize =
                newest.get(agreement.sources().get(0)).find(id).orElseThrow().worldSize();
        StatePart global = got.get(CheckpointInventory.GLOBAL);
        Checkpoint start = global == null ? held.orElseThrow().retain() : Checkpoint.of(id, worldSize, global);
        start.withLocals(!locals.shares().isEmpty()).keep(world, mesh.rank(), List.copyOf(kept.values()), blocks);
        List<Integer> lost = locals.shares().stream()
                .filter(LocalAgreement.Share::isLost)
                .map(LocalAgreement.Share::owner)
                .toList();
        checkpointStore.startFrom(mesh.round(), Optional.of(start), lost);
        start.release();
        return new Result(Optional.of(start), lost);
    }

    /** Ranks that must write a lazy checkpoint down, for those that lack it. */
    private static List<Integer> writers(List<CheckpointInventory> inventories, CheckpointAgreement agreement) {
        if (agreement.agreed().isEmpty() || agreement.lacking().isEmpty()) {
            return List.of();
        }
        CheckpointId id = agreement.agreed().get();
        return agreement.lacking().stream()
                .flatMap(rank ->
                        TransferPlan.of(rank, CheckpointInventory.GLOBAL, agreement.sources(), new BitSet())
                                .sources()
                                .stream())
                .distinct()
                .filter(rank -> inventories.get(rank).find(id).orElseThrow().length() < 0)
                .sorted()
                .toList();
    }

    // All writers write the lazy checkpoint down before any rank waits for it, and all ranks learn which of them could
    // not: the program's supplier may fail. Each writer sends a byte to all others.
    private List<CheckpointInventory> writeDown(
            List<CheckpointInventory> inventories, CheckpointId id, List<Integer> writers) throws BrokenLinkException {
        boolean isWriter = writers.contains(mesh.rank());
        boolean canGive = isWriter && checkpointStore.find(id).orElseThrow().writeDown(checkpointStore.pool());
        for (int peer = 0; isWriter && peer < mesh.size(); peer++) {
            if (peer != mesh.rank()) {
                mesh.link(peer).send(ByteBuffer.wrap(new byte[] {(byte) (canGive ? 1 : 0)}));
            }
        }
        List<CheckpointInventory> known = new ArrayList<>(inventories);
        for (int writer : writers) {
            if (!(writer == mesh.rank() ? canGive : hasWritten(writer))) {
                known.set(writer, known.get(writer).withoutServing(id));
            }
        }
        return known;
    }

    private boolean hasWritten(int writer) throws BrokenLinkException {
        ByteBuffer frame = mesh.link(writer).receive();
        if (frame.remaining() != 1) {
            throw BrokenLinkException.malformed(writer, "a frame of " + frame.remaining() + " bytes (expected: 1)");
        }
        return frame.get() == 1;
    }

    private StatePart part(Checkpoint held, int owner) {
        return owner == CheckpointInventory.GLOBAL
                ? held.global(checkpointStore.pool())
                : held.local(owner).orElseThrow();
    }

    private Map<Integer, StatePart> kept(
            LocalAgreement locals, Optional<Checkpoint> held, Map<Integer, StatePart> got) {
        Map<Integer, StatePart> kept = new LinkedHashMap<>();
        for (LocalAgreement.Share share : locals.shares()) {
            if (share.targets().contains(mesh.rank())) {
                StatePart part = got.get(share.owner());
                StatePart whole = part == null ? part(held.orElseThrow(), share.owner()) : part;
                kept.put(share.owner(), whole.keptBy(share.keeper(), share.isOwn()));
            }
        }
        return kept;
    }
}
