/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.Reducer;
import dev.elasticrun.worker.internal.exchange.Combiner;

/** Calls a program's reducer. Set anew for each call, so that a call need not allocate one. */
public final class ProgramReducer implements Combiner {
    private Reducer<Object> reducer = (into, other, count) -> {
        throw new IllegalStateException("cannot combine: no reducer");
    };

    /** The caller makes sure that the reducer takes arrays of the type that is reduced. */
    @SuppressWarnings("unchecked")
    public ProgramReducer set(Reducer<?> of) {
        reducer = (Reducer<Object>) of;
        return this;
    }

    @Override
    public void combine(Object into, Object other, int count) {
        reducer.reduce(into, other, count);
    }
}
