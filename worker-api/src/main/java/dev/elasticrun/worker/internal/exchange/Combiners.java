/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.collective.ReduceOp;

/** The built-in operators on every type of elements. */
public final class Combiners {
    private Combiners() {}

    /** Throws IllegalArgumentException if the type does not have it. */
    public static Combiner of(ElementType type, ReduceOp op) {
        return switch (type) {
            case BYTE -> ByteKernels.of(op);
            case INT -> IntKernels.of(op);
            case LONG -> LongKernels.of(op);
            case FLOAT -> FloatKernels.of(op);
            case DOUBLE -> DoubleKernels.of(op);
            case NONE -> throw new IllegalArgumentException("type: none (expected: one with values)");
        };
    }
}
