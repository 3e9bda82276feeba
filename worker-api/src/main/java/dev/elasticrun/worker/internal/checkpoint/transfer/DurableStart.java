/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.Checkpoint;
import dev.elasticrun.worker.internal.checkpoint.CheckpointFile;
import dev.elasticrun.worker.internal.checkpoint.CheckpointStore;
import dev.elasticrun.worker.internal.checkpoint.DurableCopies;
import dev.elasticrun.worker.internal.checkpoint.FileBlob;
import dev.elasticrun.worker.internal.checkpoint.LocalStream;
import dev.elasticrun.worker.internal.checkpoint.StateInput;
import dev.elasticrun.worker.internal.checkpoint.StatePart;
import dev.elasticrun.worker.internal.checkpoint.StateWriter;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.checkpoint.agreement.TransferPlan;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts a round in which no rank holds a checkpoint: rank 0 reads the newest durable copy and gives it to all. It
 * becomes a checkpoint of this incarnation, older than all that this one makes. Local states each rank reads itself.
 */
public final class DurableStart {
    private static final System.Logger LOGGER = System.getLogger(DurableStart.class.getName());
    private static final int FRAME = 2 * Long.BYTES + Integer.BYTES + 1;
    /** Before the first world of this incarnation. */
    private static final long WORLD = 0;

    private static final int PIECE = 1 << 18;

    private final PeerMesh mesh;
    private final CheckpointStore checkpointStore;
    private final Optional<DurableCopies> copies;
    private final String incarnation;
    private final long world;

    public DurableStart(
            PeerMesh mesh,
            CheckpointStore checkpointStore,
            Optional<DurableCopies> copies,
            String incarnation,
            long world) {
        this.mesh = mesh;
        this.checkpointStore = checkpointStore;
        this.copies = copies;
        this.incarnation = incarnation;
        this.world = world;
    }

    /**
     * What there was.
     *
     * @param start the checkpoint from which all ranks continue; empty = there is no whole copy
     * @param lostLocals ranks of the world that made it whose local states were this rank's to read, and are not there
     * @param unreadable newest version of which there is a copy that is not whole, if no copy is; else 0
     */
    public record Result(Optional<Checkpoint> start, List<Integer> lostLocals, long unreadable) {}

    /** All ranks call it if rank 0 has a directory of durable copies. */
    public Result run() throws BrokenLinkException {
        Optional<CheckpointFile> found =
                mesh.rank() == 0 ? copies.flatMap(all -> all.newest(checkpointStore.pool())) : Optional.empty();
        ByteBuffer frame = mesh.rank() == 0 ? announce(found) : receive();
        long version = frame.getLong();
        if (version <= 0) {
            return new Result(Optional.empty(), List.of(), -version);
        }
        CheckpointId id = new CheckpointId(incarnation, WORLD, version, frame.getLong());
        int ranks = frame.getInt();
        boolean hasLocals = frame.get() != 0;
        Checkpoint start = share(id, ranks, found).withLocals(hasLocals);
        List<StatePart> locals = locals(id, ranks);
        start.keep(world, mesh.rank(), locals);
        List<Integer> lost = hasLocals ? missing(ranks, locals) : List.of();
        checkpointStore.startFrom(mesh.round(), Optional.of(start), lost);
        start.release();
        if (mesh.rank() == 0) {
            LOGGER.log(Level.INFO, "goes on from the durable copy of version " + version);
        }
        return new Result(Optional.of(start), lost, 0);
    }

    /** A version below zero is that of a copy that is there and cannot be read. */
    private ByteBuffer announce(Optional<CheckpointFile> found) throws BrokenLinkException {
        ByteBuffer frame = ByteBuffer.allocate(FRAME).order(ByteOrder.LITTLE_ENDIAN);
        long unreadable =
                found.isPresent() ? 0 : copies.map(DurableCopies::newestName).orElse(0L);
        frame.putLong(found.map(file -> file.id().version()).orElse(-unreadable));
        frame.putLong(found.map(file -> file.parts().get(0).digest()).orElse(0L));
        frame.putInt(found.map(CheckpointFile::worldSize).orElse(0));
        frame.put((byte) (found.filter(CheckpointFile::hasLocals).isPresent() ? 1 : 0))
                .flip();
        for (int peer = 1; peer < mesh.size(); peer++) {
            mesh.link(peer).send(frame.duplicate());
        }
        return frame;
    }

    private ByteBuffer receive() throws BrokenLinkException {
        ByteBuffer frame = mesh.link(0).receive();
        if (frame.remaining() != FRAME) {
            throw BrokenLinkException.malformed(0, "durable copy stated in " + frame.remaining() + " bytes");
        }
        return frame.order(ByteOrder.LITTLE_ENDIAN);
    }

    private Checkpoint share(CheckpointId id, int worldSize, Optional<CheckpointFile> found)
            throws BrokenLinkException {
        List<TransferPlan> shipments = new ArrayList<>();
        for (int rank = 1; rank < mesh.size(); rank++) {
            shipments.add(TransferPlan.of(rank, CheckpointInventory.GLOBAL, List.of(0), new BitSet()));
        }
        Map<Integer, StatePart> got = new Transfer(mesh, checkpointStore, id, List.of(), owner -> found.orElseThrow()
                        .parts()
                        .get(0))
                .run(shipments);
        StatePart global = found.isPresent() ? found.get().parts().get(0) : got.get(CheckpointInventory.GLOBAL);
        if (global == null) {
            throw new IllegalStateException("cannot go on from " + id + ": it has not come");
        }
        return Checkpoint.of(id, worldSize, global);
    }

    /** Its own as it was, and of ranks that are no more those whose turn is this rank's. */
    private List<StatePart> locals(CheckpointId id, int owners) {
        List<StatePart> locals = new ArrayList<>();
        for (int owner = mesh.rank(); owner < owners && copies.isPresent(); owner += mesh.size()) {
            boolean isOwn = owner == mesh.rank();
            copies.get()
                    .local(id.version(), id.digest(), owner, checkpointStore.localPool())
                    .map(part -> inNode(part, id))
                    .ifPresent(part -> locals.add(part.keptBy(mesh.rank(), isOwn)));
        }
        return locals;
    }

    /** A state that is outside of the heap gets a file of this node. Takes over the part. */
    private StatePart inNode(StatePart part, CheckpointId id) {
        if (!(part.content() instanceof FileBlob durable)) {
            return part;
        }
        StateWriter copy = to -> {
            try (StateInput from = new StateInput(durable)) {
                ByteBuffer piece = ByteBuffer.allocate(PIECE);
                while (from.read(piece.clear()) >= 0) {
                    to.write(piece.flip());
                }
            }
        };
        try {
            return new LocalStream(checkpointStore).write(copy, id, part.owner());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep the local state of rank " + part.owner() + ": " + e, e);
        } finally {
            durable.release();
        }
    }

    private List<Integer> missing(int owners, List<StatePart> locals) {
        List<Integer> missing = new ArrayList<>();
        for (int owner = mesh.rank(); owner < owners; owner += mesh.size()) {
            int wanted = owner;
            if (locals.stream().noneMatch(part -> part.owner() == wanted)) {
                missing.add(owner);
            }
        }
        return missing;
    }
}
