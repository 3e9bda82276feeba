/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Buffers that contents were in, kept for the next ones: a fresh one must be cleared and mapped, which costs more than
 * the copy into it. Its monitor also guards who holds a content.
 */
final class ContentPool {
    /** States often grow a little from version to version. */
    private static final int SLACK = 16;

    private static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

    private final List<byte[]> free = new ArrayList<>();
    private final int kept;

    ContentPool(int kept) {
        this.kept = kept;
    }

    /** A content of that length with any bytes in it. */
    synchronized Content take(int length) {
        Optional<Content> used = find(length);
        if (used.isPresent()) {
            return used.get();
        }
        if (!free.isEmpty()) {
            // The state has another size now: what does not fit is not kept for ever.
            free.remove(free.size() - 1);
        }
        return new Content(this, new byte[(int) Math.min(MAX_LENGTH, length + (long) length / SLACK)], length);
    }

    /** The same in a buffer that is there; empty = none fits. */
    synchronized Optional<Content> find(int length) {
        for (int i = 0; i < free.size(); i++) {
            int capacity = free.get(i).length;
            if (capacity >= length && capacity - (long) length <= length / 2 + 4096) {
                return Optional.of(new Content(this, free.remove(i), length));
            }
        }
        return Optional.empty();
    }

    /** For {@link Content} only. The newest ones stay. */
    synchronized void giveBack(byte[] buffer) {
        free.add(0, buffer);
        if (free.size() > kept) {
            free.remove(kept);
        }
    }
}
