/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/**
 * Which chunk a rank sends and receives in each step of a ring all-reduce. The elements are cut into one chunk per
 * rank. In the first size-1 steps chunks travel and grow (reduce-scatter), in the second size-1 steps the finished ones
 * travel (all-gather). Each chunk is reduced along one path only, so all ranks end with the same bits.
 *
 * @param rank of whoever asks
 * @param size ranks in the ring, from 2
 * @param count elements
 */
record RingSchedule(int rank, int size, int count) {

    int next() {
        return (rank + 1) % size;
    }

    int previous() {
        return Math.floorMod(rank - 1, size);
    }

    int steps() {
        return 2 * (size - 1);
    }

    boolean isReducing(int step) {
        return step < size - 1;
    }

    int sentChunk(int step) {
        return Math.floorMod(isReducing(step) ? rank - step : rank + 1 - (step - (size - 1)), size);
    }

    int receivedChunk(int step) {
        return Math.floorMod(sentChunk(step) - 1, size);
    }

    /** First element of a chunk; the chunk ends where the next one starts. */
    int start(int chunk) {
        return (int) ((long) count * chunk / size);
    }

    int length(int chunk) {
        return start(chunk + 1) - start(chunk);
    }
}
