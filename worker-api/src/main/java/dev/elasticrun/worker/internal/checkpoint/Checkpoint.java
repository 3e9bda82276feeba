/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.net.Digest;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint that this process holds: the global state, which a lazy one writes down when it is needed, and local
 * states, its own and copies of others'. Counts its holders; the last one gives its contents back. For the user thread.
 */
public final class Checkpoint {
    private static final System.Logger LOGGER = System.getLogger(Checkpoint.class.getName());

    private final CheckpointId id;
    private final int worldSize;
    private @Nullable Supplier<byte[]> source;
    private @Nullable StatePart global;
    private List<StatePart> locals = List.of();
    private List<ParityPart> parity = List.of();
    private long keeperWorld;
    private int place = -1;
    private boolean hasLocals;
    private int holders = 1;

    private Checkpoint(CheckpointId id, int worldSize, @Nullable StatePart global, @Nullable Supplier<byte[]> source) {
        this.id = id;
        this.worldSize = worldSize;
        this.global = global;
        this.source = source;
    }

    /** Takes over the part. */
    public static Checkpoint of(CheckpointId id, int worldSize, StatePart global) {
        return new Checkpoint(id, worldSize, global, null);
    }

    /** A copy of the state, with its digest. */
    public static Checkpoint copyOf(
            byte[] state, String incarnation, long world, long version, int worldSize, ContentPool pool, int threads) {
        StatePart global = copy(state, pool, threads);
        return of(new CheckpointId(incarnation, world, version, global.digest()), worldSize, global);
    }

    /** A state that is written down when it is needed. Ranks agree on it by its place in the run. */
    public static Checkpoint lazy(Supplier<byte[]> state, String incarnation, long world, long version, int worldSize) {
        return new Checkpoint(
                new CheckpointId(incarnation, world, version, Digest.ofPlace(world, version)), worldSize, null, state);
    }

    /** A state that this process can give to nobody yet. */
    static Checkpoint expected(CheckpointId id, int worldSize) {
        return new Checkpoint(id, worldSize, null, null);
    }

    public static boolean isLazy(CheckpointId id) {
        return id.digest() == Digest.ofPlace(id.world(), id.version());
    }

    public CheckpointId id() {
        return id;
    }

    /** Ranks of the world that made it. */
    int worldSize() {
        return worldSize;
    }

    /** World in which the keepers of local states are ranks. */
    long keeperWorld() {
        return keeperWorld;
    }

    /** This process's rank in that world; -1 = none. */
    public int place() {
        return place;
    }

    public List<StatePart> locals() {
        return locals;
    }

    /** Blocks that protect local states of others. */
    public List<ParityPart> parity() {
        return parity;
    }

    /** Whether ranks gave local states with it, held here or not. */
    boolean hasLocals() {
        return hasLocals;
    }

    /** Others have its local states, or had them. */
    public Checkpoint withLocals(boolean knownToHave) {
        hasLocals |= knownToHave;
        return this;
    }

    public Optional<StatePart> local(int owner) {
        return locals.stream().filter(part -> part.owner() == owner).findFirst();
    }

    /** The global state; a lazy one is written down now. */
    public StatePart global(ContentPool pool) {
        StatePart known = global;
        if (known == null) {
            Supplier<byte[]> state = source;
            if (state == null) {
                throw new IllegalStateException(
                        "cannot give " + id + ": it is not here, or the state has gone on since");
            }
            byte[] bytes = state.get();
            if (bytes == null) {
                throw new IllegalStateException(
                        "lazyCheckpoint: the supplier returned null (expected: the state of version " + id.version()
                                + ")");
            }
            known = copy(bytes, pool, 1);
            global = known;
            source = null;
        }
        return known;
    }

    public boolean isWritten() {
        return global != null;
    }

    /** Bytes of a state that is there outside of the heap, or 0. */
    long streamedBytes() {
        StatePart known = global;
        return known != null && known.content() instanceof FileBlob
                ? known.content().length()
                : 0;
    }

    /** The local state from which this process continues as its own. */
    public Optional<StatePart> ownLocal() {
        return locals.stream()
                .filter(part -> part.keeper() == place && part.isOwn())
                .findFirst();
    }

    /** Local states of others that were offered to this process. */
    public List<StatePart> orphanedLocals() {
        return locals.stream()
                .filter(part -> part.keeper() == place && !part.isOwn())
                .toList();
    }

    /** Bytes of this process's local state that is there outside of the heap, or 0. */
    long streamedLocalBytes() {
        return ownLocal()
                .map(StatePart::content)
                .filter(FileBlob.class::isInstance)
                .map(Content::length)
                .orElse(0L);
    }

    /** Whether local states, and what protects them, are outside of the heap. */
    boolean hasStreamedLocals() {
        return locals.stream().anyMatch(part -> part.content() instanceof FileBlob)
                || parity.stream().anyMatch(part -> part.content() instanceof FileBlob);
    }

    /** The state is there now; takes over the part. */
    void found(StatePart part) {
        global = part;
    }

    /** Writes a lazy one down for others. False = the program's supplier has failed: this process cannot give it. */
    public boolean writeDown(ContentPool pool) {
        if (global == null && source != null) {
            try {
                global(pool);
            } catch (RuntimeException | OutOfMemoryError e) {
                LOGGER.log(Level.ERROR, "cannot give version " + id.version() + " to others: its supplier failed", e);
                source = null;
            }
        }
        return global != null;
    }

    /** The program's state changes from now on: a lazy checkpoint that is not written down yet cannot be any more. */
    void expire() {
        source = null;
    }

    /** Local states from now on, without parity; takes over the parts that it did not have. */
    public void keep(long world, int newPlace, List<StatePart> newLocals) {
        keep(world, newPlace, newLocals, List.of());
    }

    /** Local states and parity from now on; takes over the parts that it did not have. */
    public void keep(long world, int newPlace, List<StatePart> newLocals, List<ParityPart> newParity) {
        for (ParityPart old : parity) {
            if (newParity.stream().noneMatch(part -> part.content() == old.content())) {
                old.content().release();
            }
        }
        parity = List.copyOf(newParity);
        for (StatePart old : locals) {
            if (newLocals.stream().noneMatch(part -> part.content() == old.content())) {
                old.content().release();
            }
        }
        keeperWorld = world;
        place = newPlace;
        locals = List.copyOf(newLocals);
        hasLocals |= !locals.isEmpty() || !parity.isEmpty();
    }

    /** The entry for this checkpoint in the inventory that other ranks receive. */
    CheckpointInventory.Copy describe(boolean isStaged) {
        CheckpointInventory.State state =
                isStaged ? CheckpointInventory.State.STAGED : CheckpointInventory.State.COMMITTED;
        StatePart written = global;
        return new CheckpointInventory.Copy(
                id,
                worldSize,
                written == null ? -1 : written.content().length(),
                written == null && source == null ? CheckpointInventory.State.EXPIRED : state,
                new CheckpointInventory.Locals(
                        hasLocals,
                        hasStreamedLocals(),
                        keeperWorld,
                        place,
                        locals.stream()
                                .map(part -> new CheckpointInventory.Local(
                                        part.owner(),
                                        part.keeper(),
                                        part.isOwn(),
                                        part.content().length(),
                                        part.digest()))
                                .toList(),
                        parity.stream().map(ParityPart::describe).toList()));
    }

    public Checkpoint retain() {
        holders++;
        return this;
    }

    public void release() {
        holders--;
        if (holders == 0) {
            StatePart written = global;
            if (written != null) {
                written.content().release();
            }
            locals.forEach(part -> part.content().release());
            parity.forEach(part -> part.content().release());
        }
    }

    private static StatePart copy(byte[] state, ContentPool pool, int threads) {
        PooledBlob content = pool.take(state.length);
        return StatePart.global(StateCopier.copy(state, content.buffer(), state.length, threads), content);
    }
}
