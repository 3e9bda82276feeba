/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.engine.PeerState;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The part of a rank's {@link PeerState} that lists its checkpoints.
 *
 * @param startedRound newest round whose start this process completed; 0 = none, it is new
 * @param hasDurable whether it can look for durable copies
 * @param copies checkpoints that it holds
 * @param partials contents of which some chunks have arrived
 */
public record CheckpointInventory(long startedRound, boolean hasDurable, List<Copy> copies, List<Partial> partials) {
    /** In the place of the rank whose local state a content is: the global one. */
    public static final int GLOBAL = -1;

    private static final int MAX_WORLD = 1 << 20;
    private static final int COPY_BYTES = 5 * Long.BYTES + 4 * Integer.BYTES + 4;
    private static final int LOCAL_BYTES = 2 * Integer.BYTES + 1 + 2 * Long.BYTES;
    private static final int PARITY_BYTES = 3 * Short.BYTES;
    private static final int PARTIAL_BYTES = 5 * Long.BYTES + 2 * Integer.BYTES;

    /** How a copy came to be. */
    public enum State {
        COMMITTED(0),
        /** Stored, but not known to be committed anywhere. */
        STAGED(1),
        /** Held once: the program's state has gone on since, or it cannot be written down. */
        EXPIRED(2);

        private final int code;

        State(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static State of(int code) throws IOException {
            for (State state : values()) {
                if (state.code == code) {
                    return state;
                }
            }
            throw new IOException("state of a copy: " + code);
        }
    }

    /**
     * One checkpoint that a rank holds.
     *
     * @param worldSize ranks of the world that made it
     * @param length bytes of its content; -1 = not written down yet
     */
    public record Copy(CheckpointId id, int worldSize, long length, State state, Locals locals) {
        Copy expired() {
            return new Copy(id, worldSize, -1, State.EXPIRED, locals);
        }

        boolean hasLocals() {
            return locals.exist();
        }

        /** Bytes of a part; -1 = it is not written down yet, or not there. */
        public long length(int owner) {
            return owner == GLOBAL ? length : local(owner).map(Local::length).orElse(-1L);
        }

        Optional<Local> local(int owner) {
            return locals.held().stream()
                    .filter(local -> local.owner() == owner)
                    .findFirst();
        }
    }

    /**
     * Local states of a checkpoint.
     *
     * @param exist whether the checkpoint has any, wherever they are
     * @param areStreamed whether those that this rank holds are outside of the heap, and blocks are
     * @param keeperWorld world in which their keepers are ranks
     * @param place this process's rank in that world; -1 = it had none
     * @param held by this rank
     * @param parity blocks of sets that this rank has a seat in
     */
    public record Locals(
            boolean exist,
            boolean areStreamed,
            long keeperWorld,
            int place,
            List<Local> held,
            List<ParityBlock> parity) {
        public Locals {
            held = List.copyOf(held);
            parity = List.copyOf(parity);
        }
    }

    /**
     * One local state.
     *
     * @param owner the rank whose state it is, in the world that made the checkpoint
     * @param keeper the rank to which it is given, in the {@link Locals#keeperWorld}
     * @param isOwn whether the keeper continues from it as its own; false = it was offered to the keeper as an orphan
     */
    public record Local(int owner, int keeper, boolean isOwn, long length, long digest) {
        Local keptBy(int newKeeper, boolean isItsOwn) {
            return new Local(owner, newKeeper, isItsOwn, length, digest);
        }

        public void write(DataOutputStream out) throws IOException {
            out.writeInt(owner);
            out.writeInt(keeper);
            out.writeBoolean(isOwn);
            out.writeLong(length);
            out.writeLong(digest);
        }

        public static Local read(DataInputStream in, int worldSize) throws IOException {
            Local local = new Local(in.readInt(), in.readInt(), in.readBoolean(), in.readLong(), in.readLong());
            if (local.owner() < 0 || local.owner() >= worldSize || local.keeper() < 0) {
                throw new IOException("a local state of rank " + local.owner() + ", kept by " + local.keeper());
            }
            return local;
        }
    }

    /** The block of a seat of a parity set; its content is not in the statement. */
    public record ParityBlock(ParitySet set, int seat) {
        public ParityPlan.Source.Block source() {
            return ParityPlan.Source.Block.of(set, seat);
        }

        public void write(DataOutputStream out) throws IOException {
            set.write(out);
            out.writeShort(seat);
        }

        public static ParityBlock read(DataInputStream in, int worldSize) throws IOException {
            ParitySet set = ParitySet.read(in, worldSize);
            int seat = in.readUnsignedShort();
            if (seat >= set.seats()) {
                throw new IOException("the block of seat " + seat + " of " + set.seats());
            }
            return new ParityBlock(set, seat);
        }
    }

    /**
     * A content on its way.
     *
     * @param arrived chunks that are here
     */
    public record Partial(CheckpointId id, int owner, long length, long digest, BitSet arrived) {}

    public CheckpointInventory {
        copies = List.copyOf(copies);
        partials = List.copyOf(partials);
    }

    /** Whether it has, or had, exactly this one. */
    public boolean holds(CheckpointId id) {
        return find(id).isPresent();
    }

    /** Whether it can give this one to others. */
    boolean serves(CheckpointId id) {
        return find(id).filter(copy -> copy.state() != State.EXPIRED).isPresent();
    }

    /** The same, but that it cannot give this one to others. */
    public CheckpointInventory withoutServing(CheckpointId id) {
        List<Copy> changed = copies.stream()
                .map(copy -> copy.id().equals(id) ? copy.expired() : copy)
                .toList();
        return new CheckpointInventory(startedRound, hasDurable, changed, partials);
    }

    public Optional<Copy> find(CheckpointId id) {
        return copies.stream().filter(copy -> copy.id().equals(id)).findFirst();
    }

    /** Chunks of this content that have arrived. */
    BitSet arrived(CheckpointId id, int owner) {
        return partials.stream()
                .filter(partial -> partial.id().equals(id) && partial.owner() == owner)
                .map(Partial::arrived)
                .findFirst()
                .orElseGet(BitSet::new);
    }

    /** The incarnation is not written: the handshake has already compared it. */
    public void write(DataOutputStream out) throws IOException {
        out.writeLong(startedRound);
        out.writeBoolean(hasDurable);
        out.writeInt(copies.size());
        for (Copy copy : copies) {
            write(copy.id(), out);
            out.writeInt(copy.worldSize());
            out.writeLong(copy.length());
            out.writeShort(copy.state().code());
            Locals locals = copy.locals();
            out.writeLong(locals.keeperWorld());
            out.writeInt(locals.place());
            out.writeBoolean(locals.exist());
            out.writeBoolean(locals.areStreamed());
            out.writeInt(locals.held().size());
            for (Local local : locals.held()) {
                local.write(out);
            }
            out.writeInt(locals.parity().size());
            for (ParityBlock block : locals.parity()) {
                block.write(out);
            }
        }
        out.writeInt(partials.size());
        for (Partial partial : partials) {
            write(partial.id(), out);
            out.writeInt(partial.owner());
            out.writeLong(partial.length());
            out.writeLong(partial.digest());
            byte[] bits = partial.arrived().toByteArray();
            out.writeInt(bits.length);
            out.write(bits);
        }
    }

    public static CheckpointInventory read(DataInputStream in, String incarnation) throws IOException {
        long startedRound = in.readLong();
        boolean hasDurable = in.readBoolean();
        int count = count(in, COPY_BYTES);
        List<Copy> copies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            CheckpointId id = readId(in, incarnation);
            int worldSize = in.readInt();
            long length = in.readLong();
            int state = in.readShort();
            long keeperWorld = in.readLong();
            int place = in.readInt();
            boolean hasLocals = in.readBoolean();
            boolean areStreamed = in.readBoolean();
            if (worldSize < 1 || worldSize > MAX_WORLD) {
                throw new IOException("a world of " + worldSize + " ranks");
            }
            Locals locals = new Locals(
                    hasLocals, areStreamed, keeperWorld, place, readLocals(in, worldSize), readParity(in, worldSize));
            copies.add(new Copy(id, worldSize, length, State.of(state), locals));
        }
        int partialCount = count(in, PARTIAL_BYTES);
        List<Partial> partials = new ArrayList<>();
        for (int i = 0; i < partialCount; i++) {
            CheckpointId id = readId(in, incarnation);
            int owner = in.readInt();
            long length = in.readLong();
            long digest = in.readLong();
            partials.add(new Partial(id, owner, length, digest, BitSet.valueOf(in.readNBytes(count(in, 1)))));
        }
        return new CheckpointInventory(startedRound, hasDurable, copies, partials);
    }

    private static List<Local> readLocals(DataInputStream in, int worldSize) throws IOException {
        int count = count(in, LOCAL_BYTES);
        List<Local> locals = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            locals.add(Local.read(in, worldSize));
        }
        return locals;
    }

    private static List<ParityBlock> readParity(DataInputStream in, int worldSize) throws IOException {
        int count = count(in, PARITY_BYTES);
        List<ParityBlock> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blocks.add(ParityBlock.read(in, worldSize));
        }
        return blocks;
    }

    private static int count(DataInputStream in, int bytesEach) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > in.available() / bytesEach) {
            throw new IOException(count + " entries in " + in.available() + " bytes");
        }
        return count;
    }

    private static void write(CheckpointId id, DataOutputStream out) throws IOException {
        out.writeLong(id.world());
        out.writeLong(id.version());
        out.writeLong(id.digest());
    }

    private static CheckpointId readId(DataInputStream in, String incarnation) throws IOException {
        return new CheckpointId(incarnation, in.readLong(), in.readLong(), in.readLong());
    }
}
