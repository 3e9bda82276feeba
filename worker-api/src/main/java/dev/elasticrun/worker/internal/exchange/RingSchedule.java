/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

/**
 * Which chunk a rank sends and receives in each step of a ring. In the first size-1 steps chunks travel and grow
 * (reduce-scatter), after which the rank holds the chunk of its own number; in the second size-1 steps the finished ones
 * travel (all-gather). Each chunk is reduced along one path only, so all ranks end with the same bits.
 *
 * @param rank the rank whose chunks are computed
 * @param size ranks in the ring, from 2
 */
record RingSchedule(int rank, int size) {

    int next() {
        return (rank + 1) % size;
    }

    int previous() {
        return Math.floorMod(rank - 1, size);
    }

    /** Where the steps begin that only pass on what is complete. */
    int gatherStart() {
        return size - 1;
    }

    int steps() {
        return 2 * (size - 1);
    }

    boolean isReducing(int step) {
        return step < gatherStart();
    }

    int sentChunk(int step) {
        return Math.floorMod(isReducing(step) ? rank - 1 - step : rank - (step - gatherStart()), size);
    }

    int receivedChunk(int step) {
        return Math.floorMod(sentChunk(step) - 1, size);
    }

    /** First element of a chunk if all are as long as each other; the chunk ends where the next one starts. */
    static int start(int count, int chunk, int size) {
        return (int) ((long) count * chunk / size);
    }
}
