/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.collective.ReduceOp;

/** How two runs of elements become one. Associative and commutative, as far as the element type is. */
public interface Combiner {
    /**
     * Sets {@code into[i]} to {@code into[i]} combined with {@code other[i]}, for i from 0 to before {@code count}.
     *
     * @param into array of the element type
     * @param other another array of the same type
     */
    void combine(Object into, Object other, int count);

    /** One of the built-in operators; throws IllegalArgumentException if the type does not have it. */
    static Combiner of(ElementType type, ReduceOp op) {
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
