/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.collective.BootstrapScope;
import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.collective.CollectiveTimeoutException;
import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.Reducer;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.internal.checkpoint.CheckpointStore;
import dev.elasticrun.worker.internal.engine.Arguments;
import dev.elasticrun.worker.internal.engine.Bootstrap;
import dev.elasticrun.worker.internal.engine.CheckpointCalls;
import dev.elasticrun.worker.internal.engine.Engine;
import dev.elasticrun.worker.internal.engine.ProgramReducer;
import dev.elasticrun.worker.internal.exchange.Call;
import dev.elasticrun.worker.internal.exchange.Combiners;
import dev.elasticrun.worker.internal.exchange.Operation;
import dev.elasticrun.worker.internal.exchange.Region;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.Supplier;

/**
 * Operations of all workers of one round. Every rank calls the same ones in the same order with the same types, counts,
 * operators and roots; each call blocks until this rank's part is done. One thread at a time; {@link #async} queues
 * calls for a thread of their own.
 *
 * <pre>{@code
 * import dev.elasticrun.worker.Collective;
 * import dev.elasticrun.worker.ElasticRuntime;
 * import dev.elasticrun.worker.collective.ReduceOp;
 * import dev.elasticrun.worker.collective.WorldChangedException;
 *
 * public final class MeanOfRanks {
 *     public static void main(String[] args) {
 *         ElasticRuntime.main(() -> {
 *             boolean isDone = false;
 *             while (!isDone) {
 *                 Collective collective = ElasticRuntime.join();
 *                 try {
 *                     double[] sum = {collective.rank()};
 *                     collective.allReduce(sum, ReduceOp.SUM);
 *                     double[] limits = collective.rank() == 0 ? new double[] {0, 1} : new double[2];
 *                     collective.broadcast(limits, 0);
 *                     System.out.println(sum[0] / collective.worldSize() + ", from 0 to " + limits[1]);
 *                     collective.close();
 *                     isDone = true;
 *                 } catch (WorldChangedException e) {
 *                     System.out.println("again: " + e.getMessage());
 *                 }
 *             }
 *         });
 *     }
 * }
 * }</pre>
 *
 * <p>{@link ElasticLoop} joins and goes back to the last commit by itself.
 *
 * <p>Counts are in elements. Results have the same bits on all ranks, and from run to run for the same world,
 * transport, placement of ranks on nodes and input. Arrays are written when the call is done and not before; a call
 * that throws has written nothing, unless its description states otherwise.
 *
 * <p>A peer that dies is not an error of the caller: the call blocks until the agent has decided how to continue. If
 * another process takes the dead one's place (same world), the call continues with it and the program sees nothing but
 * another {@link #round()}. Otherwise it throws {@link WorldChangedException}: this object is over, join the next
 * round. {@link CollectiveMismatchException} reports that ranks called different operations, and where. {@link
 * CollectiveTimeoutException}: a peer that lives did not call for too long. {@link
 * java.util.concurrent.CancellationException}: the thread was interrupted, and is still marked so. The round has ended
 * for this rank, but not for the call: made again with the same arguments, as the next one, it continues as after the
 * loss of a peer.
 *
 * <p>Not {@link AutoCloseable} on purpose: {@link #close} is an agreement to leave, and must not be made on the way out
 * of a failure.
 */
public final class Collective {
    private final Engine engine;
    private final CheckpointStore checkpointStore;
    private final CheckpointCalls checkpoints;
    private final Bootstrap bootstrap;
    private final AsyncCollective async;
    private final ProgramReducer reducer = new ProgramReducer();
    private final Arguments places;
    private final ByteGather gathering;

    /** For the runtime: a program gets its collective from {@link ElasticRuntime#join}. */
    @SuppressWarnings("exports")
    public Collective(Engine engine) {
        this.engine = engine;
        this.checkpointStore = engine.carriedState().checkpointStore();
        this.checkpoints = new CheckpointCalls(engine, engine.carriedState(), engine.files());
        this.bootstrap = new Bootstrap(engine, engine.carriedState().bootstrap());
        this.async = new AsyncCollective(this, engine);
        this.places = new Arguments(rank(), worldSize());
        this.gathering = new ByteGather(this, ByteGather.FIRST);
    }

    /** This worker's number, from 0. */
    public int rank() {
        return workerInfo().rank();
    }

    /** How many workers there are. */
    public int worldSize() {
        return workerInfo().worldSize();
    }

    /** The round that this rank works in. It changes within a call when another worker was replaced. */
    public long round() {
        return workerInfo().round();
    }

    /** This worker's place in the round. */
    public WorkerInfo workerInfo() {
        return engine.activeRound().info();
    }

    /** How many checkpoints the run has completed. */
    public long version() {
        return checkpointStore.version();
    }

    /** The same operations as futures: queued in the order of their calls, run by a thread of their own. */
    public AsyncCollective async() {
        return async;
    }

    /** Combines the arrays of all ranks, element by element, in place. */
    public void allReduce(byte[] values, ReduceOp op) {
        allReduce(values, 0, values.length, op);
    }

    /** Combines the arrays of all ranks, element by element, in place. */
    public void allReduce(int[] values, ReduceOp op) {
        allReduce(values, 0, values.length, op);
    }

    /** Combines the arrays of all ranks, element by element, in place. */
    public void allReduce(long[] values, ReduceOp op) {
        allReduce(values, 0, values.length, op);
    }

    /** Combines the arrays of all ranks, element by element, in place. */
    public void allReduce(float[] values, ReduceOp op) {
        allReduce(values, 0, values.length, op);
    }

    /** Combines the arrays of all ranks, element by element, in place. */
    public void allReduce(double[] values, ReduceOp op) {
        allReduce(values, 0, values.length, op);
    }

    /** Combines {@code length} elements from {@code offset} of all ranks, in place. Offsets may differ. */
    public void allReduce(byte[] values, int offset, int length, ReduceOp op) {
        Call call = begin();
        call.data().set(values, offset, length);
        allReduce(call, op);
    }

    /** Combines {@code length} elements from {@code offset} of all ranks, in place. Offsets may differ. */
    public void allReduce(int[] values, int offset, int length, ReduceOp op) {
        Call call = begin();
        call.data().set(values, offset, length);
        allReduce(call, op);
    }

    /** Combines {@code length} elements from {@code offset} of all ranks, in place. Offsets may differ. */
    public void allReduce(long[] values, int offset, int length, ReduceOp op) {
        Call call = begin();
        call.data().set(values, offset, length);
        allReduce(call, op);
    }

    /** Combines {@code length} elements from {@code offset} of all ranks, in place. Offsets may differ. */
    public void allReduce(float[] values, int offset, int length, ReduceOp op) {
        Call call = begin();
        call.data().set(values, offset, length);
        allReduce(call, op);
    }

    /** Combines {@code length} elements from {@code offset} of all ranks, in place. Offsets may differ. */
    public void allReduce(double[] values, int offset, int length, ReduceOp op) {
        Call call = begin();
        call.data().set(values, offset, length);
        allReduce(call, op);
    }

    /**
     * Combines what is between position and limit of direct buffers, in place, in little endian order; the buffer's own
     * order, position and limit do not matter to it and are not changed.
     */
    public void allReduce(ByteBuffer values, ElementType type, ReduceOp op) {
        Call call = begin();
        Arguments.set(call.data(), values, type);
        allReduce(call, op);
    }

    /**
     * As {@link #allReduce(double[], int, int, ReduceOp)}, of an array of any of the five types, with values that are
     * computed only if they are needed.
     *
     * @param prepare fills the values; called once, on the calling thread, unless the result comes from the other ranks'
     *     memory. It must do nothing else, and must not call the collective
     */
    public void allReduce(Object values, int offset, int length, ReduceOp op, Runnable prepare) {
        Call call = begin().prepare(prepare);
        Arguments.set(call.data(), values, offset, length);
        allReduce(call, op);
    }

    /**
     * Combines the arrays of all ranks with the program's own function, in place.
     *
     * @param values array of byte, int, long, float or double
     */
    public <A> void allReduce(A values, Reducer<A> function) {
        Call call = begin();
        Arguments.set(call.data(), values);
        call.operation()
                .set(
                        Operation.Kind.ALL_REDUCE,
                        call.data().type(),
                        null,
                        0,
                        call.data().count());
        call.combiner(reducer.set(function));
        engine.run();
    }

    /** Overwrites the array with the root's; lengths must be equal. See {@link #broadcastBytes} for those that are not. */
    public void broadcast(byte[] values, int root) {
        broadcast(values, 0, values.length, root);
    }

    /** Overwrites the array with the root's; lengths must be equal. */
    public void broadcast(int[] values, int root) {
        broadcast(values, 0, values.length, root);
    }

    /** Overwrites the array with the root's; lengths must be equal. */
    public void broadcast(long[] values, int root) {
        broadcast(values, 0, values.length, root);
    }

    /** Overwrites the array with the root's; lengths must be equal. */
    public void broadcast(float[] values, int root) {
        broadcast(values, 0, values.length, root);
    }

    /** Overwrites the array with the root's; lengths must be equal. */
    public void broadcast(double[] values, int root) {
        broadcast(values, 0, values.length, root);
    }

    /** Overwrites {@code length} elements from {@code offset} with those of the root. Offsets may differ. */
    public void broadcast(byte[] values, int offset, int length, int root) {
        Call call = begin();
        call.data().set(values, offset, length);
        broadcast(call, root);
    }

    /** Overwrites {@code length} elements from {@code offset} with those of the root. Offsets may differ. */
    public void broadcast(int[] values, int offset, int length, int root) {
        Call call = begin();
        call.data().set(values, offset, length);
        broadcast(call, root);
    }

    /** Overwrites {@code length} elements from {@code offset} with those of the root. Offsets may differ. */
    public void broadcast(long[] values, int offset, int length, int root) {
        Call call = begin();
        call.data().set(values, offset, length);
        broadcast(call, root);
    }

    /** Overwrites {@code length} elements from {@code offset} with those of the root. Offsets may differ. */
    public void broadcast(float[] values, int offset, int length, int root) {
        Call call = begin();
        call.data().set(values, offset, length);
        broadcast(call, root);
    }

    /** Overwrites {@code length} elements from {@code offset} with those of the root. Offsets may differ. */
    public void broadcast(double[] values, int offset, int length, int root) {
        Call call = begin();
        call.data().set(values, offset, length);
        broadcast(call, root);
    }

    /** Overwrites what is between position and limit of a direct buffer with the root's, byte by byte. */
    public void broadcast(ByteBuffer values, int root) {
        Call call = begin();
        Arguments.set(call.data(), values, ElementType.BYTE);
        broadcast(call, root);
    }

    /**
     * Returns the root's bytes, of whatever length; what the other ranks pass does not matter and is not written. Two
     * operations, the length and the bytes; more for over 16 MiB, which come in pieces.
     */
    public byte[] broadcastBytes(byte[] value, int root) {
        return gathering.broadcast(value, root);
    }

    /**
     * Puts the arrays of all ranks, of equal lengths, behind each other by rank. If it throws, this rank's own part may
     * have been written.
     *
     * @param mine array of byte, int, long, float or double
     * @param all of the same type, {@code worldSize()} times as long
     */
    public <A> void allGather(A mine, A all) {
        Call call = begin();
        Arguments.set(call.part(), mine);
        Arguments.set(call.data(), all);
        int[] bounds = places.equal(call.part(), call.data());
        System.arraycopy(mine, 0, all, bounds[rank()], call.part().count());
        gather(call, bounds, 0);
    }

    /**
     * Completes an array, of any of the five types, of which each rank has filled a part.
     *
     * @param bounds the same on all ranks, one more than ranks, ascending from 0 to the array's length: rank r has the
     *     elements from {@code bounds[r]} to before {@code bounds[r + 1]}
     */
    public void allGatherInPlace(Object values, int[] bounds) {
        Call call = begin();
        Arguments.set(call.data(), values);
        places.require(bounds, call.data());
        gather(call, bounds, Arrays.hashCode(bounds));
    }

    /**
     * Returns what each rank passed, by rank; lengths may differ. Two operations, the lengths and the bytes; more if one is
     * longer than its share of 16 MiB, as these come in pieces.
     */
    public List<byte[]> allGather(byte[] mine) {
        return gathering.gather(mine);
    }

    /**
     * Combines the arrays of all ranks and gives each rank an equal part, rank r the r-th.
     *
     * @param values array of byte, int, long, float or double; not changed
     * @param mine of the same type; {@code values} is {@code worldSize()} times as long
     */
    public <A> void reduceScatter(A values, A mine, ReduceOp op) {
        Call call = begin();
        Arguments.set(call.data(), values);
        Arguments.set(call.part(), mine);
        reduceScatter(call, places.equal(call.part(), call.data()), 0, op);
    }

    /**
     * Combines the arrays of all ranks and gives each rank its part.
     *
     * @param values array of byte, int, long, float or double; not changed
     * @param mine of the same type, as many elements as this rank's part has
     * @param bounds as for {@link #allGatherInPlace}
     */
    public <A> void reduceScatter(A values, A mine, int[] bounds, ReduceOp op) {
        Call call = begin();
        Arguments.set(call.data(), values);
        Arguments.set(call.part(), mine);
        places.require(bounds, call.part(), call.data());
        reduceScatter(call, bounds, Arrays.hashCode(bounds), op);
    }

    /** Returns when all ranks have called it. */
    public void barrier() {
        begin().operation().set(Operation.Kind.BARRIER, ElementType.NONE, null, 0, 0);
        engine.run();
    }

    /**
     * As {@link #allReduce(double[], ReduceOp)}, done once in the life of the run: workers that have the result give it
     * to workers that join later, and a repeated call returns it at once. The key is the place of the call (class,
     * method, line), the type, the count, and how often this collective was used there.
     *
     * @param values array of byte, int, long, float or double
     */
    public void bootstrapAllReduce(Object values, ReduceOp op) {
        Call call = begin();
        Arguments.set(call.data(), values);
        describeReduction(call, op);
        bootstrap.run(call);
    }

    /**
     * As {@link #bootstrapAllReduce(Object, ReduceOp)} under the program's own key, once for each key.
     *
     * @param key 1 to 4096 characters; the same on all ranks, as is the scope
     * @param prepare as for {@link #allReduce(Object, int, int, ReduceOp, Runnable)}
     */
    public void bootstrapAllReduce(String key, BootstrapScope scope, Object values, ReduceOp op, Runnable prepare) {
        Call call = begin().prepare(prepare);
        Arguments.set(call.data(), values);
        describeReduction(call, op);
        bootstrap.run(call, key, scope);
    }

    /** As {@link #bootstrapAllReduce(Object, ReduceOp)}: the array becomes the root's. */
    public void bootstrapBroadcast(Object values, int root) {
        Call call = begin();
        Arguments.set(call.data(), values);
        describeBroadcast(call, root);
        bootstrap.run(call);
    }

    /** As {@link #bootstrapBroadcast(Object, int)} under the program's own key, once for each key. */
    public void bootstrapBroadcast(String key, BootstrapScope scope, Object values, int root) {
        Call call = begin();
        Arguments.set(call.data(), values);
        describeBroadcast(call, root);
        bootstrap.run(call, key, scope);
    }

    /**
     * Makes this state the one from which the run continues after a failure. It must have the same bytes on all ranks.
     * When any rank returns, all ranks hold it in memory; the first worker of each node also keeps it in the node's
     * files, which are written in the background.
     */
    public void checkpoint(byte[] state) {
        Objects.requireNonNull(state, "state");
        checkpoints.commit(begin(), state);
    }

    /**
     * As {@link #checkpoint(byte[])}, with a state of any size, which the program writes block by block. No worker has it in
     * its heap: the first worker of each node writes it to the node's files while the call lasts, and the others of the node,
     * which write it, too, only compare its digest. So a state that fits into no directory of the node fails the call.
     *
     * @throws java.io.UncheckedIOException what {@link StreamedSnapshot#save} threw, or why there is no room for the state
     */
    public void checkpoint(StreamedSnapshot state) {
        Objects.requireNonNull(state, "state");
        checkpoints.commit(begin(), state::save);
    }

    /**
     * As {@link #checkpoint(byte[])}, with a state that is this rank's alone. Copies of it go to workers of other nodes,
     * two unless the run was started otherwise, and to workers of the same node where nodes are too few; when any rank
     * returns, all copies are in place. A rank that takes the place of another gets it back by {@link #loadLocal}; that of
     * a rank which is not replaced is offered to one of the others by {@link #orphanedLocals}. All ranks pass one, or none
     * does.
     */
    public void checkpoint(byte[] state, byte[] local) {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(local, "local");
        checkpoints.commit(begin(), state, local);
    }

    /**
     * As {@link #checkpoint(byte[], byte[])}, with a local state of any size, which the program writes block by block, once. It goes
     * to a file of this node, and copies of it, or parity, to files of others: no worker has it in its heap. So a local state
     * that fits into no directory of its node, or of one that keeps it, fails the call. All ranks pass one, or none does.
     *
     * @throws java.io.UncheckedIOException what {@link StreamedSnapshot#save} threw, or why there is no room for the state
     */
    public void checkpoint(byte[] state, StreamedSnapshot local) {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(local, "local");
        checkpoints.commit(begin(), state, local::save);
    }

    /** As {@link #checkpoint(StreamedSnapshot)}, with a local state as in {@link #checkpoint(byte[], byte[])}. */
    public void checkpoint(StreamedSnapshot state, byte[] local) {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(local, "local");
        checkpoints.commit(begin(), state::save, local);
    }

    /** As {@link #checkpoint(StreamedSnapshot)}, with a local state as in {@link #checkpoint(byte[], StreamedSnapshot)}. */
    public void checkpoint(StreamedSnapshot state, StreamedSnapshot local) {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(local, "local");
        checkpoints.commit(begin(), state::save, local::save);
    }

    /**
     * As {@link #checkpoint(byte[])}, but the state is written down only when a peer must be given it, or a file is due.
     * Legal if what the supplier writes down changes only between the last operation of a version and the next call of a
     * checkpoint: the supplier may be called within any operation until then. Ranks agree on it by its place in the run,
     * not by its content. Under a restart policy that keeps workers it is not in the node's files, unless it was needed.
     *
     * <p>A supplier that throws, or returns null, while a file is written or in {@link #loadCheckpoint}, fails that call: with
     * its own exception, or with IllegalStateException. While a peer is to be given the state it fails nothing: the error is
     * logged, and other ranks give it, to this one as well. If none can, the state is lost, as when all that held it are gone.
     */
    public void lazyCheckpoint(Supplier<byte[]> state) {
        Objects.requireNonNull(state, "state");
        checkpoints.commitLazily(begin(), state);
    }

    /** The newest checkpoint; empty before the first. Throws IllegalStateException if it is longer than an array can be. */
    public Optional<byte[]> loadCheckpoint() {
        return checkpoints.load();
    }

    /**
     * Restores the newest checkpoint, however it was written. Returns false, without a call of the state, before the first.
     *
     * @throws java.io.UncheckedIOException what {@link StreamedSnapshot#restore} threw
     */
    public boolean loadCheckpoint(StreamedSnapshot state) {
        return checkpoints.load(state::restore);
    }

    /**
     * The local state from which this rank continues: its own state of the newest checkpoint, or that of the rank whose
     * place it took. Empty if there never was one, and also if it is lost: {@link #lostLocals} contains its rank then. Throws
     * IllegalStateException if it is longer than an array can be.
     */
    public Optional<byte[]> loadLocal() {
        return checkpoints.loadLocal();
    }

    /**
     * Restores what {@link #loadLocal()} returns, however it was written. Returns false, without a call of the state, where that is
     * empty.
     *
     * @throws java.io.UncheckedIOException what {@link StreamedSnapshot#restore} threw
     */
    public boolean loadLocal(StreamedSnapshot local) {
        return checkpoints.loadLocal(local::restore);
    }

    /**
     * Local states of the newest checkpoint whose ranks are gone, by the rank that they had. Each is offered to exactly
     * one rank, again after every change until the next checkpoint: what this rank takes over belongs into its own local
     * state then.
     */
    public SortedMap<Integer, byte[]> orphanedLocals() {
        return checkpoints.orphanedLocals();
    }

    /** The ranks of {@link #orphanedLocals}, without a copy of their states. */
    public SortedSet<Integer> orphanedRanks() {
        return checkpoints.orphanedRanks();
    }

    /**
     * Restores one of the {@link #orphanedLocals}, however it was written.
     *
     * @param rank one of {@link #orphanedRanks}
     * @throws java.io.UncheckedIOException what {@link StreamedSnapshot#restore} threw
     */
    public void loadOrphanedLocal(int rank, StreamedSnapshot local) {
        Objects.requireNonNull(local, "local");
        checkpoints.loadOrphan(rank, local::restore);
    }

    /**
     * Ranks, in the world that made the newest checkpoint, whose local states of it are lost: all that had a copy are
     * gone. Empty = all are there, or there never were any. The same until the next checkpoint. All ranks return the
     * same, but after a start from {@code --checkpoint-dir}, where each returns those whose states would have been
     * given to it.
     */
    public SortedSet<Integer> lostLocals() {
        return checkpoints.lostLocals();
    }

    /** Makes a checkpoint after which workers may end one after the other: a rank that is gone then is not missed. */
    void lastly(Runnable checkpoint) {
        checkpoints.parting(true);
        try {
            checkpoint.run();
        } finally {
            checkpoints.parting(false);
        }
    }

    /** Leaves the run, together with all other ranks: returns when all have called it. Later operations throw. */
    public void close() {
        async.awaitIdle();
        if (engine.isLeft()) {
            return;
        }
        Call call = begin();
        call.operation().set(Operation.Kind.LEAVE, ElementType.NONE, null, 0, 0);
        call.step((operation, exchange) -> exchange.barrier(operation));
        engine.runLast();
    }

    private Call begin() {
        async.awaitIdle();
        return engine.begin();
    }

    private void allReduce(Call call, ReduceOp op) {
        describeReduction(call, op);
        engine.run();
    }

    private static void describeReduction(Call call, ReduceOp op) {
        Region data = call.data();
        call.combiner(Combiners.of(data.type(), op));
        call.operation().set(Operation.Kind.ALL_REDUCE, data.type(), op, 0, data.count());
    }

    private void broadcast(Call call, int root) {
        describeBroadcast(call, root);
        engine.run();
    }

    private void describeBroadcast(Call call, int root) {
        if (root < 0 || root >= worldSize()) {
            throw new IllegalArgumentException("root: " + root + " (expected: 0 to " + (worldSize() - 1) + ")");
        }
        call.operation()
                .set(
                        Operation.Kind.BROADCAST,
                        call.data().type(),
                        null,
                        root,
                        call.data().count());
    }

    // The hash detects ranks that have divided the array in different ways.
    private void gather(Call call, int[] bounds, int hash) {
        Region data = call.data();
        call.operation().set(Operation.Kind.ALL_GATHER, data.type(), null, hash, data.count());
        call.bounds(bounds);
        engine.run();
    }

    private void reduceScatter(Call call, int[] bounds, int hash, ReduceOp op) {
        Region data = call.data();
        call.combiner(Combiners.of(data.type(), op)).bounds(bounds);
        call.operation().set(Operation.Kind.REDUCE_SCATTER, data.type(), op, hash, data.count());
        engine.run();
    }
}
