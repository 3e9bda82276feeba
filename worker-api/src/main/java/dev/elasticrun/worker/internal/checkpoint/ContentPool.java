/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Buffers that contents were in, kept for the next ones: a fresh one must be cleared and mapped, which costs more than
 * the copy into it. Its monitor also guards the holders of each content.
 */
public final class ContentPool {
    /** States often grow a little from version to version. */
    private static final int SLACK = 16;

    /** Bytes that fit into an array. */
    public static final int MAX_LENGTH = Integer.MAX_VALUE - 8;
    /** Contents of more than this part of the heap are held no longer than they must. */
    private static final int LARGE_SHARE = 16;
    // The time in which a writer of a file notices that its content is in the way.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final List<byte[]> free = new ArrayList<>();
    private final int kept;
    private final IntFunction<byte[]> heap;
    private boolean isStarved;
    private long givenBack;

    /** @param kept most buffers that are kept for the next content */
    public ContentPool(int kept) {
        this(kept, byte[]::new);
    }

    /** @param heap makes buffers; throws OutOfMemoryError if there is no room */
    ContentPool(int kept, IntFunction<byte[]> heap) {
        this.kept = kept;
        this.heap = heap;
    }

    /** For {@link PooledBlob} only. */
    boolean isStarved() {
        return isStarved;
    }

    /** For {@link PooledBlob} only. */
    boolean isLarge(int length) {
        return length > Runtime.getRuntime().maxMemory() / LARGE_SHARE;
    }

    /**
     * A content of that length with any bytes in it. If the heap is full the call waits for a moment: holders that only
     * write a content to a file release it then.
     */
    public synchronized PooledBlob take(int length) {
        try {
            return takeNow(length);
        } catch (OutOfMemoryError e) {
            isStarved = true;
            long before = givenBack;
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            try {
                for (long left = PATIENCE.toNanos();
                        givenBack == before && left > 0;
                        left = deadline - System.nanoTime()) {
                    TimeUnit.NANOSECONDS.timedWait(this, left);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } finally {
                isStarved = false;
            }
            return takeNow(length);
        }
    }

    private PooledBlob takeNow(int length) {
        Optional<PooledBlob> used = find(length);
        if (used.isPresent()) {
            return used.get();
        }
        if (!free.isEmpty()) {
            // The state has another size now: what does not fit is not kept for ever.
            free.remove(free.size() - 1);
        }
        return new PooledBlob(this, heap.apply((int) Math.min(MAX_LENGTH, length + (long) length / SLACK)), length);
    }

    /** The same in a buffer that is there; empty = none fits. */
    synchronized Optional<PooledBlob> find(int length) {
        for (int i = 0; i < free.size(); i++) {
            int capacity = free.get(i).length;
            if (capacity >= length && capacity - (long) length <= length / 2 + 4096) {
                return Optional.of(new PooledBlob(this, free.remove(i), length));
            }
        }
        return Optional.empty();
    }

    /** For {@link PooledBlob} only. The newest ones stay. */
    synchronized void giveBack(byte[] buffer) {
        free.add(0, buffer);
        if (free.size() > kept) {
            free.remove(kept);
        }
        givenBack++;
        notifyAll();
    }
}
