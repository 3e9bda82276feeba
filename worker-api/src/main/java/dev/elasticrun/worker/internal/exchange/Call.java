/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.BrokenLinkException;
import org.jspecify.annotations.Nullable;

/** One call of the program, from its begin to its result. Set anew for each, so that a call need not allocate one. */
public final class Call {
    private static final int[] NO_BOUNDS = {};

    private final Operation operation = new Operation();
    private final Region data = new Region();
    private final Region part = new Region();
    private @Nullable Combiner combiner;
    private @Nullable Step step;
    private @Nullable Runnable prepare;
    private int[] bounds = NO_BOUNDS;
    private String label = "";

    /** What a call does that is not one exchange of data. */
    public interface Step {
        void run(Operation operation, Exchange exchange) throws BrokenLinkException;
    }

    public Operation operation() {
        return operation;
    }

    /** The caller's values. */
    public Region data() {
        return data;
    }

    /** Where this rank's part of the result goes, for reduceScatter. */
    public Region part() {
        return part;
    }

    public Call combiner(Combiner with) {
        combiner = with;
        return this;
    }

    /** Called once, before the exchange, if there is an exchange at all. */
    public Call prepare(@Nullable Runnable with) {
        prepare = with;
        return this;
    }

    public Call bounds(int[] of) {
        bounds = of;
        return this;
    }

    /** Which bootstrap operation it is, beside its place: for messages. */
    public Call label(String of) {
        label = of;
        return this;
    }

    /** Where it is made, and which one it is there. */
    public String place(String site) {
        return label.isEmpty() ? site : site + " (" + label + ")";
    }

    public Call step(Step of) {
        step = of;
        return this;
    }

    /** Whether all ranks have one and the same result, of as many elements as the caller's values. */
    public boolean hasResult() {
        return step == null && operation.kind() != Operation.Kind.BARRIER;
    }

    public void prepare() {
        Runnable once = prepare;
        prepare = null;
        if (once != null) {
            once.run();
        }
    }

    public void execute(Exchange exchange) throws BrokenLinkException {
        if (step != null) {
            step.run(operation, exchange);
            return;
        }
        switch (operation.kind()) {
            case ALL_REDUCE -> exchange.allReduce(operation, combiner(), data);
            case BROADCAST -> exchange.broadcast(operation, operation.root(), data);
            case BARRIER -> exchange.barrier(operation);
            case ALL_GATHER -> exchange.allGather(operation, data, bounds);
            case REDUCE_SCATTER -> exchange.reduceScatter(operation, combiner(), data, bounds, part);
            case CHECKPOINT, LEAVE -> throw new IllegalStateException(operation.kind() + " needs a step");
        }
    }

    /** Computes all of the result there, in the collective's own memory; the caller's values stay as they are. */
    public void execute(Exchange exchange, Region whole, Memory memory, int rank) throws BrokenLinkException {
        int width = data.type().width();
        switch (operation.kind()) {
            case ALL_REDUCE, REDUCE_SCATTER -> {
                data.copyTo(0, memory, 0, data.count());
                exchange.allReduce(operation, combiner(), whole);
            }
            case BROADCAST -> {
                if (operation.root() == rank) {
                    data.copyTo(0, memory, 0, data.count());
                }
                exchange.broadcast(operation, operation.root(), whole);
            }
            case ALL_GATHER -> {
                data.copyTo(bounds[rank], memory, bounds[rank] * width, bounds[rank + 1] - bounds[rank]);
                exchange.allGather(operation, whole, bounds);
            }
            case BARRIER, CHECKPOINT, LEAVE -> throw new IllegalStateException(operation.kind() + " has no result");
        }
    }

    /** Gives the caller what is his of the whole result. */
    public void take(Memory whole, int rank) {
        if (operation.kind() == Operation.Kind.REDUCE_SCATTER) {
            part.copyFrom(0, whole, bounds[rank] * data.type().width(), part.count());
        } else {
            data.copyFrom(0, whole, 0, data.count());
        }
    }

    /** Begins the next call; holds on to nothing of the last one. */
    public Call clear() {
        combiner = null;
        step = null;
        prepare = null;
        bounds = NO_BOUNDS;
        label = "";
        return this;
    }

    private Combiner combiner() {
        if (combiner == null) {
            throw new IllegalStateException("cannot combine: no reducer");
        }
        return combiner;
    }
}
