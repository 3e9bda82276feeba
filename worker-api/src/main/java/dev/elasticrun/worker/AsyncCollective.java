/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.collective.ReduceOp;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.internal.engine.CallSites;
import dev.elasticrun.worker.internal.engine.Engine;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Operations as futures, done in the order of the calls on thread {@code collective-async}, which ends when it is idle.
 * A blocking call on the {@link Collective} waits for all that is queued. Arrays are the operation's until its future is
 * complete. One thread calls; all ranks call in the same order.
 *
 * <p>Futures end exceptionally with what the blocking call throws; after {@link WorldChangedException} or
 * {@link CollectiveMismatchException} so do all that are queued behind. Cancelling a future does not take the operation
 * back: other ranks wait for it.
 */
public final class AsyncCollective {
    private final Collective collective;
    private final Engine engine;
    private final AtomicInteger queued = new AtomicInteger();
    private @Nullable ThreadPoolExecutor executor;
    private volatile @Nullable Thread worker;

    AsyncCollective(Collective collective, Engine engine) {
        this.collective = collective;
        this.engine = engine;
    }

    /** See {@link Collective#allReduce(byte[], ReduceOp)}. */
    public CompletableFuture<Void> allReduce(byte[] values, ReduceOp op) {
        return run(same -> same.allReduce(values, op));
    }

    /** See {@link Collective#allReduce(int[], ReduceOp)}. */
    public CompletableFuture<Void> allReduce(int[] values, ReduceOp op) {
        return run(same -> same.allReduce(values, op));
    }

    /** See {@link Collective#allReduce(long[], ReduceOp)}. */
    public CompletableFuture<Void> allReduce(long[] values, ReduceOp op) {
        return run(same -> same.allReduce(values, op));
    }

    /** See {@link Collective#allReduce(float[], ReduceOp)}. */
    public CompletableFuture<Void> allReduce(float[] values, ReduceOp op) {
        return run(same -> same.allReduce(values, op));
    }

    /** See {@link Collective#allReduce(double[], ReduceOp)}. */
    public CompletableFuture<Void> allReduce(double[] values, ReduceOp op) {
        return run(same -> same.allReduce(values, op));
    }

    /** See {@link Collective#broadcast(byte[], int)}. */
    public CompletableFuture<Void> broadcast(byte[] values, int root) {
        return run(same -> same.broadcast(values, root));
    }

    /** See {@link Collective#broadcastBytes(byte[], int)}. */
    public CompletableFuture<byte[]> broadcastBytes(byte[] value, int root) {
        return submit(same -> same.broadcastBytes(value, root));
    }

    /** See {@link Collective#allGather(byte[])}. */
    public CompletableFuture<List<byte[]>> allGather(byte[] mine) {
        return submit(same -> same.allGather(mine));
    }

    /** See {@link Collective#barrier()}. */
    public CompletableFuture<Void> barrier() {
        return run(Collective::barrier);
    }

    /** Queues any operations of the collective, several perhaps; what the function returns completes the future. */
    public <T> CompletableFuture<T> submit(Function<Collective, T> operations) {
        CompletableFuture<T> future = new CompletableFuture<>();
        String site = CallSites.caller();
        queued.incrementAndGet();
        executor().execute(() -> {
            worker = Thread.currentThread();
            engine.queueThread(worker);
            engine.site(site);
            try {
                future.complete(operations.apply(collective));
            } catch (RuntimeException | Error e) {
                future.completeExceptionally(e);
            } finally {
                engine.site(null);
                engine.queueThread(null);
                worker = null;
                queued.decrementAndGet();
            }
        });
        return future;
    }

    /** Before a call of another thread than that of the queue. */
    void awaitIdle() {
        if (queued.get() == 0 || worker == Thread.currentThread()) {
            return;
        }
        try {
            executor().submit(() -> {}).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for queued operations");
        } catch (ExecutionException e) {
            throw new IllegalStateException("an empty task does not fail", e);
        }
    }

    private CompletableFuture<Void> run(java.util.function.Consumer<Collective> operation) {
        return submit(same -> {
            operation.accept(same);
            return null;
        });
    }

    private synchronized ThreadPoolExecutor executor() {
        if (executor == null) {
            executor = new ThreadPoolExecutor(
                    1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemons.named("collective-async"));
            executor.allowCoreThreadTimeOut(true);
        }
        return executor;
    }
}
