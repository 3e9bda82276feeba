/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

/**
 * Saves the caller's values, chunk by chunk of each of their parts, and restores them when an operation breaks off
 * after it has begun to write results. Saves nothing of scratch regions. User thread only.
 */
final class RegionBackup {
    /** No part: nothing is saved, and nothing restored. */
    private static final int[] NO_BOUNDS = {0};

    private final Scratch scratch;
    private Region data = new Region();
    private Memory saved = Memory.allocate(0);
    private int[] bounds = NO_BOUNDS;
    private int kept = -1;
    private int savedOfEach;

    RegionBackup(Scratch scratch) {
        this.scratch = scratch;
    }

    /**
     * Nothing is saved yet.
     *
     * @param partBounds as in {@link Exchange#allGather}
     * @param keptPart is not overwritten; -1 = every part is
     */
    void begin(Region values, int[] partBounds, int keptPart) {
        data = values;
        if (values.isSpare()) {
            bounds = NO_BOUNDS;
        } else {
            bounds = partBounds;
            saved = scratch.take(values.bytes());
        }
        kept = keptPart;
        savedOfEach = 0;
    }

    /** Saves that number of elements of each part, behind those that were saved before. */
    void save(int elements) {
        for (int part = 0; part < bounds.length - 1; part++) {
            int count = Math.min(elements, bounds[part + 1] - bounds[part] - savedOfEach);
            if (count > 0 && part != kept) {
                int from = bounds[part] + savedOfEach;
                data.copyTo(from, saved, from * data.type().width(), count);
            }
        }
        savedOfEach = (int) Math.min((long) savedOfEach + elements, Integer.MAX_VALUE);
    }

    /** What was saved is again as it was. */
    void restore() {
        for (int part = 0; part < bounds.length - 1; part++) {
            int count = Math.min(savedOfEach, bounds[part + 1] - bounds[part]);
            if (part != kept) {
                data.copyFrom(bounds[part], saved, bounds[part] * data.type().width(), count);
            }
        }
    }
}
