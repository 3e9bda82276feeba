/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

/** How two runs of elements become one. Associative and commutative, as far as the element type is. */
public interface Combiner {
    /**
     * Sets {@code into[i]} to {@code into[i]} combined with {@code other[i]}, for i from 0 to before {@code count}.
     *
     * @param into array of the element type
     * @param other another array of the same type
     */
    void combine(Object into, Object other, int count);
}
