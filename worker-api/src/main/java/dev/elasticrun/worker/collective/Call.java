/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import org.jspecify.annotations.Nullable;

/** One call of the program, from its begin to its result. Set anew for each, so that a call need not allocate one. */
final class Call {
    private static final int[] NO_BOUNDS = {};

    private final Operation operation = new Operation();
    private final Region data = new Region();
    private final Region part = new Region();
    private final WholeResult whole = new WholeResult();
    private @Nullable Combiner combiner;
    private @Nullable Step step;
    private @Nullable Runnable prepare;
    private int[] bounds = NO_BOUNDS;
    private boolean isWhole;

    /** What a call does that is not one exchange of data. */
    interface Step {
        void run(Operation operation, Exchange exchange) throws BrokenLinkException;
    }

    Operation operation() {
        return operation;
    }

    /** The caller's values. */
    Region data() {
        return data;
    }

    /** Where this rank's part of the result goes, for reduceScatter. */
    Region part() {
        return part;
    }

    Call combiner(Combiner with) {
        combiner = with;
        return this;
    }

    /** Called once, before the exchange, if there is an exchange at all. */
    Call prepare(@Nullable Runnable with) {
        prepare = with;
        return this;
    }

    Call bounds(int[] of) {
        bounds = of;
        return this;
    }

    Call step(Step of) {
        step = of;
        return this;
    }

    /** The result is kept for others: where each rank has a part, all of it is computed here. */
    void wantWhole() {
        isWhole = operation.kind() == Operation.Kind.REDUCE_SCATTER;
    }

    /** The result that all ranks have; null = there is none. */
    @Nullable
    Region result() {
        if (step != null || operation.kind() == Operation.Kind.BARRIER) {
            return null;
        }
        return isWhole ? whole.region(data) : data;
    }

    void prepare() {
        Runnable once = prepare;
        prepare = null;
        if (once != null) {
            once.run();
        }
    }

    void execute(Exchange exchange) throws BrokenLinkException {
        if (step != null) {
            step.run(operation, exchange);
            return;
        }
        switch (operation.kind()) {
            case ALL_REDUCE -> exchange.allReduce(operation, combiner(), data);
            case BROADCAST -> exchange.broadcast(operation, operation.root(), data);
            case BARRIER -> exchange.barrier(operation);
            case ALL_GATHER -> exchange.allGather(operation, data, bounds);
            case REDUCE_SCATTER -> {
                if (isWhole) {
                    exchange.allReduce(operation, combiner(), whole.copyOf(data));
                } else {
                    exchange.reduceScatter(operation, combiner(), data, bounds, part);
                }
            }
            case CHECKPOINT, LEAVE -> throw new IllegalStateException(operation.kind() + " needs a step");
        }
    }

    /** The result is there, computed or recovered: this rank's part of it goes to the caller. */
    void complete(int rank) {
        if (isWhole) {
            whole.store(bounds[rank], part);
        }
    }

    /** Begins the next call; holds on to nothing of the last one. */
    Call clear() {
        combiner = null;
        step = null;
        prepare = null;
        bounds = NO_BOUNDS;
        isWhole = false;
        return this;
    }

    private Combiner combiner() {
        if (combiner == null) {
            throw new IllegalStateException("cannot combine: no reducer");
        }
        return combiner;
    }
}
