/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointFiles;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints that this process holds: the newest committed ones, the one that is being agreed on, and what has
 * arrived of one that it lacks. Locked, because the channel thread reads the version and closes rounds while the user
 * thread commits; all else is the user thread's.
 */
public final class CheckpointStore {
    private final CheckpointRetention retention;
    private final ContentFiles contentFiles;
    private final ContentPool pool;
    private final ContentPool localPool;
    private final List<Checkpoint> committed = new ArrayList<>();
    private final List<IncomingBlob> incomings = new ArrayList<>();
    private @Nullable Checkpoint staged;
    private long startedRound;
    private boolean isLoaded;
    private boolean hasDurable;
    private List<Integer> lostLocals = List.of();

    /**
     * @param contentsOfOthers copies of local states of others, or parity of them, that this process keeps, as a rule
     * @param contentFiles where contents outside of the heap are
     */
    public CheckpointStore(int contentsOfOthers, ContentFiles contentFiles) {
        this(contentsOfOthers, contentFiles, CheckpointRetention.STANDARD);
    }

    CheckpointStore(int contentsOfOthers, ContentFiles contentFiles, CheckpointRetention retention) {
        this.contentFiles = contentFiles;
        this.retention = retention;
        this.pool = new ContentPool(retention.kept());
        this.localPool = new ContentPool(retention.kept() * (1 + contentsOfOthers));
    }

    /**
     * Takes the checkpoints in the node's files: with the first call those that earlier processes left, and later those that
     * are newer than what this process has, which its agent received from another node.
     *
     * @param highestVersion newest version that the run is known to have completed; 0 = none
     */
    public synchronized void load(
            NodeFiles files, String incarnation, int localRank, int localWorldSize, long highestVersion) {
        if (isLoaded && highestVersion <= version()) {
            return;
        }
        List<Checkpoint> found = files.read(incarnation, localRank, localWorldSize, this);
        if (!isLoaded) {
            isLoaded = true;
            hasDurable = files.options().durable().isPresent();
            committed.addAll(found);
            return;
        }
        for (int i = found.size() - 1; i >= 0; i--) {
            Checkpoint read = found.get(i);
            if (isNews(read.id())) {
                add(read);
            } else {
                read.release();
            }
        }
    }

    private boolean isNews(CheckpointId id) {
        return find(id).isEmpty()
                && committed.stream().allMatch(held -> CheckpointFiles.NEWEST.compare(id, held.id()) > 0);
    }

    /** Where global states come from and go back to. */
    public ContentPool pool() {
        return pool;
    }

    /** Where contents outside of the heap are. */
    public ContentFiles contentFiles() {
        return contentFiles;
    }

    /** Where local states come from and go back to. */
    public ContentPool localPool() {
        return localPool;
    }

    public ContentPool pool(int owner) {
        return owner == CheckpointInventory.GLOBAL ? pool : localPool;
    }

    public synchronized CheckpointInventory inventory() {
        List<CheckpointInventory.Copy> copies = new ArrayList<>();
        for (Checkpoint checkpoint : committed) {
            copies.add(checkpoint.describe(false));
        }
        if (staged != null) {
            copies.add(staged.describe(true));
        }
        return new CheckpointInventory(
                startedRound,
                hasDurable,
                copies,
                incomings.stream().map(IncomingBlob::describe).toList());
    }

    /** Holds it, until it is committed, or the round starts anew. Lazy ones before it cannot be written down any more. */
    public synchronized void stage(Checkpoint checkpoint) {
        if (checkpoint.equals(staged)) {
            return;
        }
        dropStaged();
        staged = checkpoint.retain();
        committed.forEach(Checkpoint::expire);
    }

    /**
     * The call of this checkpoint begins: the program's state has gone on, and a lazy one before it cannot be written down
     * any more. This one is held in its place at once, wherever the call gets to.
     */
    public synchronized void supersede(Checkpoint checkpoint) {
        if (!committed.stream().allMatch(Checkpoint::isWritten)) {
            stage(checkpoint);
        }
    }

    public synchronized boolean hasStaged() {
        return staged != null;
    }

    /** The staged one becomes the newest. */
    public synchronized void commit() {
        Checkpoint checkpoint = Objects.requireNonNull(staged, "staged");
        staged = null;
        lostLocals = List.of();
        add(checkpoint);
    }

    public synchronized Optional<Checkpoint> find(CheckpointId id) {
        if (staged != null && staged.id().equals(id)) {
            return Optional.of(staged);
        }
        return committed.stream().filter(held -> held.id().equals(id)).findFirst();
    }

    /**
     * What has arrived of a content; a new one if nothing has, or it was another content.
     *
     * @param isStreamed whether it is to stay outside of the heap
     * @param isSure whether the length is beyond doubt
     */
    public synchronized IncomingBlob arrival(
            CheckpointId id, int owner, long length, long digest, boolean isStreamed, boolean isSure) {
        for (IncomingBlob arrival : List.copyOf(incomings)) {
            if (arrival.isOf(id, owner)) {
                if (arrival.isLike(length, digest)) {
                    return arrival;
                }
                drop(arrival);
            }
        }
        IncomingBlob arrival =
                new IncomingBlob(id, owner, length, digest, memory(id, owner, length, isStreamed, isSure));
        incomings.add(arrival);
        return arrival;
    }

    private ArrivalMemory memory(CheckpointId id, int owner, long length, boolean isStreamed, boolean isSure) {
        if (!isStreamed) {
            return new ArrivalBuffer((int) length, isSure, pool(owner));
        }
        return owner == CheckpointInventory.GLOBAL
                ? ArrivalFile.unnamed(length, contentFiles)
                : ArrivalFile.local(length, contentFiles, id);
    }

    /** A whole content that arrived: it is the caller's. */
    public synchronized Content take(IncomingBlob arrival) {
        incomings.remove(arrival);
        return arrival.content();
    }

    /** Takes back one that was taken and not used. */
    public synchronized void keep(IncomingBlob arrival) {
        incomings.add(arrival);
    }

    public synchronized void drop(IncomingBlob arrival) {
        if (incomings.remove(arrival)) {
            arrival.release();
        }
    }

    /** Drops incoming contents of other checkpoints. */
    public synchronized void keepArrivalsOf(Optional<CheckpointId> id) {
        for (IncomingBlob arrival : List.copyOf(incomings)) {
            if (id.isEmpty() || !arrival.id().equals(id.get())) {
                drop(arrival);
            }
        }
    }

    /**
     * The round starts here: whatever is newer, or of another history, never happened.
     *
     * @param lost ranks of the world that made the checkpoint whose local states no rank has
     */
    public synchronized void startFrom(long round, Optional<Checkpoint> agreed, List<Integer> lost) {
        startedRound = round;
        lostLocals = List.copyOf(lost);
        agreed.ifPresent(Checkpoint::retain);
        dropStaged();
        for (Checkpoint held : List.copyOf(committed)) {
            if (agreed.isEmpty() || held.id().version() >= agreed.get().id().version()) {
                committed.remove(held);
                held.release();
            }
        }
        agreed.ifPresent(this::add);
    }

    /** Ranks whose local states of the newest one are lost, until the next one is committed. */
    public synchronized List<Integer> lostLocals() {
        return lostLocals;
    }

    /** The newest committed one. */
    public synchronized Optional<Checkpoint> newest() {
        return committed.stream().findFirst();
    }

    /** Bytes of the newest committed state that is outside of the heap; 0 = there is none. */
    synchronized long newestBytes() {
        return newest().map(Checkpoint::streamedBytes).orElse(0L);
    }

    /** Bytes of this rank's local state of the newest committed one, if that is outside of the heap; 0 = there is none. */
    synchronized long newestLocalBytes() {
        return newest().map(Checkpoint::streamedLocalBytes).orElse(0L);
    }

    public synchronized long version() {
        return committed.isEmpty() ? 0 : committed.get(0).id().version();
    }

    private void add(Checkpoint checkpoint) {
        committed.add(0, checkpoint);
        while (committed.size() > retention.kept()) {
            committed.remove(committed.size() - 1).release();
        }
    }

    private void dropStaged() {
        if (staged != null) {
            staged.release();
            staged = null;
        }
    }
}
