/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.faults;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Notifies the fault injector, if the class path has one. Otherwise the compiler leaves nothing of a call. */
public final class FaultPoints {
    private static final @Nullable FaultInjector LISTENER = ServiceLoader.load(
                    FaultInjector.class, FaultInjector.class.getClassLoader())
            .findFirst()
            .orElse(null);

    private FaultPoints() {}

    public static void at(FaultInjector.Instant instant, int rank, long version, long seq) {
        if (LISTENER != null) {
            LISTENER.at(instant, rank, version, seq);
        }
    }
}
