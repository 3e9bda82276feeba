/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.reuse;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this process is a worker of: the same for its whole life, or, in one that is reused, one run after the other. Safe for use
 * by any thread.
 */
public final class Assignment {
    private static volatile Assignment current = new Assignment(System.getenv(), false);

    private final Map<String, String> environment;
    private final boolean isOneOfMany;
    // Guarded by this.
    private final Deque<Runnable> ends = new ArrayDeque<>();

    private Assignment(Map<String, String> environment, boolean isOneOfMany) {
        this.environment = environment;
        this.isOneOfMany = isOneOfMany;
    }

    /** The present one. */
    public static Assignment current() {
        return current;
    }

    /** The next one; the one before has ended. */
    static Assignment begin(Map<String, String> environment) {
        Assignment next = new Assignment(environment, true);
        current = next;
        return next;
    }

    /** Of the worker; {@link System#getenv} is that of the first one. */
    public Map<String, String> environment() {
        return environment;
    }

    /** Whether others can follow in this process. */
    public boolean isOneOfMany() {
        return isOneOfMany;
    }

    /** Is run when this one ends and the process does not, after what was added later. */
    public synchronized void atEnd(Runnable action) {
        ends.push(action);
    }

    void end() {
        for (Runnable action = next(); action != null; action = next()) {
            action.run();
        }
    }

    private synchronized @Nullable Runnable next() {
        return ends.poll();
    }
}
