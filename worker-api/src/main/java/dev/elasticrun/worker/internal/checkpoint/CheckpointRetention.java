/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import java.util.List;
import java.util.stream.LongStream;

/**
 * How many committed versions stay, everywhere: in the worker's memory, in the node's files, and among the durable
 * copies. Pure.
 *
 * @param kept number of versions, 2 or more: while the newest is written the one before must stay whole
 */
public record CheckpointRetention(int kept) {
    public static final CheckpointRetention STANDARD = new CheckpointRetention(2);

    public CheckpointRetention {
        if (kept < 2) {
            throw new IllegalArgumentException("kept: " + kept + " (expected: 2 or more)");
        }
    }

    /** Name of the node's files that a version goes to. Versions that are kept together go to different ones. */
    public String slot(long version) {
        return Long.toString(version % kept);
    }

    List<String> slots() {
        return LongStream.range(0, kept).mapToObj(this::slot).toList();
    }

    /** The oldest version that stays; 0 = all do. */
    long oldest(List<Long> newestFirst) {
        return newestFirst.size() < kept ? 0 : newestFirst.get(kept - 1);
    }
}
