/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.AsyncCollective;
import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.CollectiveTimeoutException;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.internal.engine.PropertySchedule.Op;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** One operation of a schedule, on arrays of its type. Looks that a call that fails leaves its argument alone. */
final class PropertyCall {
    private final Collective collective;
    private final Op op;
    private final int root;

    private PropertyCall(Collective collective, Op op) {
        this.collective = collective;
        this.op = op;
        this.root = op.root() % collective.worldSize();
    }

    /** Returns what this rank gets. */
    static long[] run(Collective collective, Op op, long[] input) {
        return new PropertyCall(collective, op).run(input);
    }

    /** The same by the form that the collective has for futures, if it has one. */
    static CompletableFuture<long[]> queue(Collective collective, Op op, long[] input) {
        AsyncCollective async = collective.async();
        int root = op.root() % collective.worldSize();
        return switch (op.kind()) {
            case BARRIER -> async.barrier().thenApply(done -> new long[0]);
            case BROADCAST_BYTES ->
                async.broadcastBytes(PropertyValues.bytes(input), root).thenApply(PropertyValues::longs);
            case ALL_GATHER_BYTES ->
                async.allGather(PropertyValues.bytes(input)).thenApply(PropertyCall::join);
            default -> async.submit(same -> run(same, op, input));
        };
    }

    private long[] run(long[] input) {
        return switch (op.kind()) {
            case ALL_REDUCE -> changed(input, this::reduce);
            case ALL_REDUCE_PREPARED -> prepared(input);
            case BROADCAST -> changed(input, this::broadcast);
            case BROADCAST_BYTES -> PropertyValues.longs(collective.broadcastBytes(PropertyValues.bytes(input), root));
            case ALL_GATHER -> gathered(input);
            case ALL_GATHER_IN_PLACE ->
                changed(input, values -> collective.allGatherInPlace(values, bounds(input.length)));
            case ALL_GATHER_BYTES -> join(collective.allGather(PropertyValues.bytes(input)));
            case REDUCE_SCATTER, REDUCE_SCATTER_PARTS -> scattered(input);
            case BARRIER -> {
                collective.barrier();
                yield new long[0];
            }
        };
    }

    private interface Step {
        void run(Object values);
    }

    private long[] changed(long[] input, Step step) {
        Object values = PropertyValues.of(op.type(), input);
        guard(values, PropertyValues.of(op.type(), input), step);
        return PropertyValues.longs(values);
    }

    private static void guard(Object values, Object before, Step step) {
        try {
            step.run(values);
        } catch (WorldChangedException | CollectiveTimeoutException e) {
            if (!PropertyValues.isSame(values, before)) {
                throw new AssertionError("the caller's array was touched", e);
            }
            throw e;
        }
    }

    private void reduce(Object values) {
        switch (op.type()) {
            case LONG -> collective.allReduce((long[]) values, op.reduce());
            case BYTE -> collective.allReduce((byte[]) values, op.reduce());
            case INT -> collective.allReduce((int[]) values, op.reduce());
            case DOUBLE -> collective.allReduce((double[]) values, op.reduce());
            default -> collective.allReduce((float[]) values, op.reduce());
        }
    }

    private void broadcast(Object values) {
        switch (op.type()) {
            case LONG -> collective.broadcast((long[]) values, root);
            case BYTE -> collective.broadcast((byte[]) values, 0, op.count(), root);
            case INT -> collective.broadcast((int[]) values, root);
            case DOUBLE -> collective.broadcast((double[]) values, root);
            default -> collective.broadcast((float[]) values, root);
        }
    }

    /** The values are there when the operation needs them, and are asked for once. */
    private long[] prepared(long[] input) {
        Object values = op.type().newArray(input.length);
        AtomicInteger asked = new AtomicInteger();
        Object source = PropertyValues.of(op.type(), input);
        collective.allReduce(values, 0, input.length, op.reduce(), () -> {
            System.arraycopy(source, 0, values, 0, input.length);
            if (asked.incrementAndGet() > 1) {
                throw new AssertionError("prepared twice");
            }
        });
        return PropertyValues.longs(values);
    }

    private long[] gathered(long[] input) {
        Object mine = PropertyValues.of(op.type(), input);
        Object all = op.type().newArray(input.length * collective.worldSize());
        collective.allGather(mine, all);
        requireUntouched(mine, input);
        return PropertyValues.longs(all);
    }

    private long[] scattered(long[] input) {
        int[] bounds = bounds(input.length);
        int rank = collective.rank();
        Object values = PropertyValues.of(op.type(), input);
        Object mine = op.type().newArray(bounds[rank + 1] - bounds[rank]);
        guard(mine, op.type().newArray(bounds[rank + 1] - bounds[rank]), part -> {
            if (op.kind() == PropertySchedule.Kind.REDUCE_SCATTER) {
                collective.reduceScatter(values, part, op.reduce());
            } else {
                collective.reduceScatter(values, part, bounds, op.reduce());
            }
        });
        requireUntouched(values, input);
        return PropertyValues.longs(mine);
    }

    private void requireUntouched(Object values, long[] input) {
        if (!PropertyValues.isSame(values, PropertyValues.of(op.type(), input))) {
            throw new AssertionError("values that are only read were changed");
        }
    }

    private int[] bounds(int count) {
        return PropertyReference.bounds(op, count, collective.worldSize());
    }

    private static long[] join(List<byte[]> parts) {
        return parts.stream()
                .flatMapToLong(part -> Arrays.stream(PropertyValues.longs(part)))
                .toArray();
    }
}
