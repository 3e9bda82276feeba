/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/**
 * A program's own way to combine the values of two ranks.
 *
 * @param <A> the array type: {@code byte[]}, {@code int[]}, {@code long[]}, {@code float[]} or {@code double[]}
 */
@FunctionalInterface
public interface Reducer<A> {

    /**
     * Sets {@code into[i]} to {@code into[i]} combined with {@code other[i]}, for i from 0 to before {@code count}; both
     * arrays may be longer. Must be associative and commutative as far as the program cares, depend on nothing else, and
     * keep neither array. Any element may come with any index, and runs may be cut anywhere. Called on the thread of the
     * operation.
     */
    void reduce(A into, A other, int count);
}
