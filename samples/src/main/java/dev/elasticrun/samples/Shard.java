/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

/**
 * The rows of one worker: {@code rank}, {@code rank + worldSize} and so on. Over all ranks each row is there exactly once.
 *
 * @param rank 0-based
 * @param worldSize number of shards, from 1
 */
record Shard(int rank, int worldSize) {
    static final Shard WHOLE = new Shard(0, 1);

    Shard {
        if (rank < 0 || rank >= worldSize) {
            throw new IllegalArgumentException("rank: " + rank + " (expected: 0 to " + (worldSize - 1) + ")");
        }
    }
}
