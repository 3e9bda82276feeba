/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.internal.faults.FaultInjector;
import org.jspecify.annotations.Nullable;

/** Leads each worker's instants to what its own thread has set, as many workers live in a test's JVM. */
public final class ThreadListener implements FaultInjector {
    private static final ThreadLocal<@Nullable FaultInjector> OF_THREAD = new InheritableThreadLocal<>();

    /** For the service loader. */
    public ThreadListener() {}

    /** For the calling thread and those that it starts from now on. */
    public static void set(FaultInjector listener) {
        OF_THREAD.set(listener);
    }

    public static void clear() {
        OF_THREAD.remove();
    }

    @Override
    public void at(Instant instant, int rank, long version, long seq) {
        FaultInjector listener = OF_THREAD.get();
        if (listener != null) {
            listener.at(instant, rank, version, seq);
        }
    }
}
