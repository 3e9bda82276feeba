/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Operations of all workers of one round. Every rank calls the same ones in the same order, from one thread at a time;
 * each call blocks until this rank's part is done. Results have the same bits on all ranks.
 *
 * <p>Every operation may throw {@link WorldChangedException}: the round is over and so is this object, arguments are
 * untouched. A peer that dies is not an error of the caller: the call blocks until the agent has decided how to go on.
 * {@link CollectiveMismatchException} says that ranks called different things.
 *
 * <p>Not {@link AutoCloseable} on purpose: {@link #close} is an agreement to leave, and must not be made on the way out
 * of a failure.
 */
public final class Collective {
    private final OpenRound round;
    private final RoundControl control;
    private final CheckpointShelf shelf;
    private final NodeFiles files;
    private final Replication replication;
    private final WorkerInfo info;
    private final Exchange exchange;
    private final Region region = new Region();
    private final long startVersion;
    private long seq;
    private long versionSeq;
    private boolean isResumed;
    private boolean isLeft;
    private @Nullable RuntimeException failure;

    private interface Call {
        void run() throws BrokenLinkException;
    }

    Collective(
            OpenRound round,
            RoundControl control,
            CheckpointShelf shelf,
            NodeFiles files,
            Exchange exchange,
            int replicas) {
        this.round = round;
        this.control = control;
        this.shelf = shelf;
        this.files = files;
        this.info = Objects.requireNonNull(round.work().workerInfo());
        this.exchange = exchange;
        this.replication = new Replication(round.mesh(), shelf, info.world(), replicas);
        this.startVersion = shelf.version();
    }

    public int rank() {
        return info.rank();
    }

    public int worldSize() {
        return info.worldSize();
    }

    public long round() {
        return info.round();
    }

    /** This worker's place in the round. */
    public WorkerInfo workerInfo() {
        return info;
    }

    /** How many checkpoints the run has completed. */
    public long version() {
        return shelf.version();
    }

    public void allReduce(byte[] values, ReduceOp op) {
        allReduce(region.set(values, 0, values.length), op);
    }

    public void allReduce(int[] values, ReduceOp op) {
        allReduce(region.set(values, 0, values.length), op);
    }

    public void allReduce(long[] values, ReduceOp op) {
        allReduce(region.set(values, 0, values.length), op);
    }

    public void allReduce(float[] values, ReduceOp op) {
        allReduce(region.set(values, 0, values.length), op);
    }

    public void allReduce(double[] values, ReduceOp op) {
        allReduce(region.set(values, 0, values.length), op);
    }

    /** Overwrites the array with the root's; lengths must be equal. */
    public void broadcast(int[] values, int root) {
        broadcast(region.set(values, 0, values.length), root);
    }

    /** Overwrites the array with the root's; lengths must be equal. */
    public void broadcast(long[] values, int root) {
        broadcast(region.set(values, 0, values.length), root);
    }

    /** Overwrites the array with the root's; lengths must be equal. */
    public void broadcast(float[] values, int root) {
        broadcast(region.set(values, 0, values.length), root);
    }

    /** Overwrites the array with the root's; lengths must be equal. */
    public void broadcast(double[] values, int root) {
        broadcast(region.set(values, 0, values.length), root);
    }

    /** Returns the root's bytes; what the other ranks pass does not matter. */
    public byte[] broadcast(byte[] value, int root) {
        long[] length = {value.length};
        broadcast(length, root);
        byte[] result = rank() == root ? value.clone() : new byte[(int) length[0]];
        broadcast(region.set(result, 0, result.length), root);
        return result;
    }

    /** Returns what each rank passed, by rank; lengths may differ. */
    public List<byte[]> allGather(byte[] mine) {
        List<byte[]> all = new ArrayList<>();
        for (int rank = 0; rank < worldSize(); rank++) {
            all.add(broadcast(mine, rank));
        }
        return all;
    }

    /** Returns when all ranks have called it. */
    public void barrier() {
        Operation op = operation(Operation.Kind.BARRIER, ElementType.NONE, null, 0, 0);
        run(() -> exchange.barrier(op));
    }

    /**
     * Makes this state the one that the run goes on from after a failure. It must have the same bytes on all ranks. When
     * any rank returns, all ranks hold it in memory; the first worker of each node also keeps it in the
     * node's files, which are written in the background.
     */
    public void checkpoint(byte[] state) {
        commit(
                Checkpoint.copyOf(state, incarnation(), info.world(), shelf.version() + 1, worldSize(), shelf.pool()),
                Optional.empty(),
                0);
    }

    /**
     * As {@link #checkpoint(byte[])}, with a state that is this rank's alone. Copies of it go to workers of other nodes,
     * two unless the run was started otherwise; when any rank returns, all copies are in place. A rank that takes the
     * place of another gets it back by {@link #loadLocal}; that of a rank which is not replaced is offered to one of the
     * others by {@link #orphanedLocals}. All ranks pass one, or none does.
     */
    public void checkpoint(byte[] state, byte[] local) {
        Content content = shelf.localPool().take(local.length);
        long digest = Digest.copy(local, content.buffer(), local.length);
        commit(
                Checkpoint.copyOf(state, incarnation(), info.world(), shelf.version() + 1, worldSize(), shelf.pool()),
                Optional.of(new Part(rank(), rank(), true, digest, content)),
                1);
    }

    /**
     * As {@link #checkpoint(byte[])}, but the state is written down only when a peer must be given it, or a file is due.
     * Legal if what the supplier writes down changes only between the last operation of a version and the next call of a
     * checkpoint: the supplier may be called within any operation until then. Ranks agree on it by its place in the run,
     * not by its content. Under a restart policy that keeps workers it is not in the node's files, unless it was needed.
     */
    public void lazyCheckpoint(Supplier<byte[]> state) {
        Checkpoint checkpoint = Checkpoint.lazy(state, incarnation(), info.world(), shelf.version() + 1, worldSize());
        // From now on the one before cannot be written down: not even a round that is over may leave it on the shelf.
        shelf.stage(checkpoint);
        commit(checkpoint, Optional.empty(), 2);
    }

    private void commit(Checkpoint checkpoint, Optional<Part> local, int variant) {
        long digest = checkpoint.id().digest();
        Operation op = operation(
                Operation.Kind.CHECKPOINT,
                ElementType.NONE,
                null,
                variant,
                checkpoint.id().version());
        try {
            run(() -> {
                if (local.isPresent()) {
                    // All are here, so that copies meet no other operation.
                    exchange.agree(op, digest);
                    replication.run(checkpoint, local.get());
                }
                shelf.stage(checkpoint);
                at(OperationListener.Instant.STAGED);
                exchange.agree(op, digest);
                at(OperationListener.Instant.AGREED);
                round.commit(shelf::commit);
            });
            versionSeq = 0;
            files.keep(checkpoint, info.localRank(), shelf.pool());
        } finally {
            checkpoint.release();
        }
    }

    private String incarnation() {
        return round.work().incarnation();
    }

    /** What this rank goes on from: its own state of the newest checkpoint, or that of the rank whose place it took. */
    public Optional<byte[]> loadLocal() {
        return shelf.newest().flatMap(checkpoint -> checkpoint.locals().stream()
                .filter(part -> part.keeper() == checkpoint.place() && part.isOwn())
                .map(part -> part.content().toBytes())
                .findFirst());
    }

    /**
     * Local states of the newest checkpoint whose ranks are gone, by the rank that they had. Each is offered to exactly
     * one rank, again after every change until the next checkpoint: what this rank takes over belongs into its own local
     * state then.
     */
    public SortedMap<Integer, byte[]> orphanedLocals() {
        SortedMap<Integer, byte[]> orphans = new TreeMap<>();
        shelf.newest().ifPresent(checkpoint -> checkpoint.locals().stream()
                .filter(part -> part.keeper() == checkpoint.place() && !part.isOwn())
                .forEach(part -> orphans.put(part.owner(), part.content().toBytes())));
        return orphans;
    }

    /** The newest checkpoint; empty before the first. */
    public Optional<byte[]> loadCheckpoint() {
        return shelf.newest()
                .map(checkpoint -> checkpoint.global(shelf.pool()).content().toBytes());
    }

    /** Leaves the run, together with all other ranks: returns when all have called it. Later operations throw. */
    public void close() {
        if (isLeft) {
            return;
        }
        Operation op = operation(Operation.Kind.LEAVE, ElementType.NONE, null, 0, 0);
        run(() -> exchange.barrier(op));
        isLeft = true;
        round.closeOrdered();
    }

    private void allReduce(Region data, ReduceOp reduce) {
        Combiner combiner = Combiner.of(data.type(), reduce);
        Operation op = operation(Operation.Kind.ALL_REDUCE, data.type(), reduce, 0, data.count());
        run(() -> exchange.allReduce(op, combiner, data));
    }

    private void broadcast(Region data, int root) {
        if (root < 0 || root >= worldSize()) {
            throw new IllegalArgumentException("root: " + root + " (expected: 0 to " + (worldSize() - 1) + ")");
        }
        Operation op = operation(Operation.Kind.BROADCAST, data.type(), null, root, data.count());
        run(() -> exchange.broadcast(op, data));
    }

    private Operation operation(
            Operation.Kind kind, ElementType type, @Nullable ReduceOp reduce, int root, long count) {
        return new Operation(seq++, kind, type, reduce, root, count);
    }

    private void at(OperationListener.Instant instant) {
        Instants.at(instant, rank(), shelf.version(), versionSeq);
    }

    private void run(Call call) {
        if (failure != null) {
            throw failure;
        }
        if (isLeft) {
            throw new IllegalStateException("cannot use the collective of round " + round() + ": it was left");
        }
        try {
            round.requireOpen();
            at(OperationListener.Instant.OPERATION);
            call.run();
            versionSeq++;
        } catch (BrokenLinkException e) {
            failure = round.end(e);
            throw failure;
        } catch (CollectiveMismatchException e) {
            failure = e;
            round.mesh().abort(Objects.requireNonNull(e.getMessage()));
            throw e;
        }
        if (!isResumed) {
            isResumed = true;
            control.report(new UpMessage.Resumed(round(), startVersion, System.nanoTime()));
        }
    }
}
