/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.fuzz;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

/** What this process holds. */
record Usage(int descriptors, int threads, long heapBytes) {
    /** Pools that grow to their limit, a few connections on their way out. */
    private static final int SLACK = 40;

    private static final long HEAP_SLACK_BYTES = 24L << 20;
    private static final long LIMIT_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long POLL_NANOS = Duration.ofMillis(50).toNanos();

    /** Now, without what the collector would take. */
    static Usage now() {
        System.gc();
        return new Usage(
                Objects.requireNonNull(new File("/proc/self/fd").list()).length,
                ManagementFactory.getThreadMXBean().getThreadCount(),
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }

    /**
     * Waits until the process holds no more than before, but for a little; it fails if that does not come about.
     *
     * @return what it holds then
     */
    static Usage requireAtMost(Usage before) {
        long end = System.nanoTime() + LIMIT_NANOS;
        Usage now = now();
        while (now.exceeds(before)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("held: " + now + " (expected: about " + before + ")");
            }
            LockSupport.parkNanos(POLL_NANOS);
            now = now();
        }
        return now;
    }

    private boolean exceeds(Usage before) {
        return descriptors > before.descriptors + SLACK
                || threads > before.threads + SLACK
                || heapBytes > before.heapBytes + HEAP_SLACK_BYTES;
    }
}
