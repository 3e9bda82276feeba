/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tracks parts of the program that a restart must not interrupt, each at most for its time limit. Threads of the
 * program begin and end them; the thread that ends the process waits for them.
 */
final class AtomicParts {
    private static final long LOOK_NANOS = 5_000_000;

    /** By thread: the end of its outermost part's bound. */
    private final Map<Thread, Long> ends = new ConcurrentHashMap<>();

    /** A part in a part belongs to the outer one. */
    void run(ElasticRuntime.Program part, long limitNanos) throws Exception {
        Thread thread = Thread.currentThread();
        boolean isOuter = ends.putIfAbsent(thread, System.nanoTime() + limitNanos) == null;
        try {
            part.run();
        } finally {
            if (isOuter) {
                ends.remove(thread);
            }
        }
    }

    /**
     * Whether the calling thread is in a part whose time limit has not passed. Called at every step: cheap if there is
     * none.
     */
    boolean isHeld() {
        return !ends.isEmpty() && isBefore(ends.get(Thread.currentThread()));
    }

    /** Blocks until no part is open whose bound has not passed. */
    void awaitNone() {
        while (ends.entrySet().stream().anyMatch(part -> isBefore(part.getValue()) && goesOn(part.getKey()))) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** One that ends the process itself waits for the thread that waits here. */
    private static boolean goesOn(Thread thread) {
        return thread.isAlive()
                && Stream.of(thread.getStackTrace())
                        .noneMatch(frame -> frame.getClassName().equals("java.lang.Shutdown"));
    }

    private static boolean isBefore(@Nullable Long end) {
        return end != null && end - System.nanoTime() > 0;
    }
}
