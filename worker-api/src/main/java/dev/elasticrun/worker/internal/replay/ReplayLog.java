/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.replay;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.internal.exchange.Call;
import dev.elasticrun.worker.internal.exchange.Exchange;
import dev.elasticrun.worker.internal.exchange.Memory;
import dev.elasticrun.worker.internal.exchange.Operation;
import dev.elasticrun.worker.internal.exchange.Region;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Results of the operations since the last checkpoint, for ranks that must do them again. As in Rabit each result stays
 * with every stride-th rank only, so that about {@code replicas} ranks have it; the newest is always there, since another
 * rank may still lack it. When the results need more than the bound, the oldest go. Used by the user thread only; memory
 * is used again, so that logging a result of a size that was seen allocates nothing.
 */
final class ReplayLog {
    private final long maxBytes;
    private final Deque<Result> kept = new ArrayDeque<>();
    /** By the number of bits of their size. */
    private final List<Deque<Result>> spare = new ArrayList<>();

    private final Map<Long, Result> recovered = new HashMap<>();
    private final Region whole = new Region();
    private @Nullable Result newest;
    private int rank;
    private int stride = 1;
    private long floor;
    private long bytes;
    private long spareBytes;

    /** One result; its memory may be longer. */
    public static final class Result {
        private final Operation operation = new Operation();
        private final Memory memory;
        private int length;

        Result(int size) {
            this.memory = new Memory(ByteBuffer.allocate(size));
        }

        Operation operation() {
            return operation;
        }

        int length() {
            return length;
        }

        /** The result, from 0; may be longer. */
        byte[] array() {
            return memory.bytes().array();
        }

        private void set(Operation of, int newLength) {
            operation.set(of.kind(), of.type(), of.reduce(), of.root(), of.count());
            operation.at(of.version(), of.seq());
            length = newLength;
        }
    }

    /** Zero bytes: nothing but the newest result is kept. */
    ReplayLog(long maxBytes) {
        this.maxBytes = maxBytes;
        for (int bits = 0; bits <= Integer.SIZE; bits++) {
            spare.add(new ArrayDeque<>());
        }
    }

    /** As Rabit: the stride is the world divided by the copies wanted. */
    static int stride(int world, int replicas) {
        return Math.max(world / replicas, 1);
    }

    long floor() {
        return floor;
    }

    int stride() {
        return stride;
    }

    /** Forgets all, for this place in a world. */
    void reset(int newRank, int newStride) {
        clear();
        recovered.clear();
        rank = newRank;
        stride = newStride;
    }

    /** Forgets all results: there is a newer checkpoint, or another history. Those that wait to be taken stay. */
    void clear() {
        kept.forEach(this::recycle);
        kept.clear();
        if (newest != null) {
            recycle(newest);
            newest = null;
        }
        floor = 0;
        bytes = 0;
    }

    /** Does the operation in the memory in which its result, if it has one, then stays. */
    void execute(Call call, Exchange exchange, int rank) throws BrokenLinkException {
        int length = call.hasResult() ? call.data().bytes() : 0;
        Result result = take(length);
        boolean isDone = false;
        try {
            if (call.hasResult()) {
                Region values = call.data();
                call.execute(exchange, whole.set(values.type(), result.memory, 0, values.count()), result.memory, rank);
                call.take(result.memory, rank);
            } else {
                call.execute(exchange);
            }
            isDone = true;
        } finally {
            if (!isDone) {
                recycle(result);
            }
        }
        result.set(call.operation(), length);
        push(result);
    }

    /** A result to send to a rank that lacks it. */
    Optional<Result> find(long seq) {
        if (newest != null && newest.operation.seq() == seq) {
            return Optional.of(newest);
        }
        return kept.stream().filter(result -> result.operation.seq() == seq).findFirst();
    }

    /** The program begins again at the checkpoint: what the log has is to be taken from it, up to the target. */
    void replayFromStart(long target) {
        recovered.clear();
        if (newest != null) {
            kept.add(newest);
            newest = null;
        }
        for (Result result : kept) {
            if (result.operation.seq() < target) {
                recovered.put(result.operation.seq(), result);
            } else {
                recycle(result);
            }
        }
        kept.clear();
        floor = 0;
        bytes = 0;
    }

    /** Forgets recovered results that were not taken; a rank that needs them requests them again. */
    void dropRecovered() {
        recovered.clear();
    }

    /** A result that came from another rank, and waits to be taken. */
    void recover(Operation operation, byte[] content) {
        Result result = new Result(content.length);
        result.set(operation, content.length);
        result.memory.bytes().put(0, content);
        recovered.put(operation.seq(), result);
    }

    /** The result of the operation that the program does next, if it waits to be taken. */
    @Nullable
    Operation recovered(long seq) {
        if (recovered.isEmpty()) {
            return null;
        }
        Result result = recovered.get(seq);
        return result == null ? null : result.operation;
    }

    /** Gives the recovered result to the program; it counts as done. */
    void takeRecovered(long seq, Call call, int rank) {
        Result result = recovered.remove(seq);
        if (result == null) {
            throw new IllegalStateException("cannot take operation " + seq + ": not recovered");
        }
        if (call.hasResult()) {
            call.take(result.memory, rank);
        }
        push(result);
    }

    private void push(Result result) {
        Result last = newest;
        newest = result;
        if (last == null) {
            return;
        }
        if (last.operation.seq() % stride != rank % stride) {
            recycle(last);
            return;
        }
        kept.add(last);
        bytes += last.length;
        while (bytes > maxBytes) {
            Result oldest = kept.remove();
            bytes -= oldest.length;
            floor = oldest.operation.seq() + 1;
            recycle(oldest);
        }
    }

    private Result take(int length) {
        Deque<Result> sameSize = spare.get(sizeClass(length));
        Result result = sameSize.peekLast();
        if (result == null || result.memory.size() < length) {
            return new Result(length);
        }
        spareBytes -= result.memory.size();
        return sameSize.removeLast();
    }

    private void recycle(Result result) {
        int size = result.memory.size();
        if (spareBytes + size <= maxBytes) {
            spareBytes += size;
            spare.get(sizeClass(size)).add(result);
        }
    }

    private static int sizeClass(int length) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(length);
    }
}
