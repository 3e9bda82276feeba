/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Tells the listener, if the class path has one. Otherwise the compiler leaves nothing of a call. */
final class Instants {
    private static final @Nullable OperationListener LISTENER = ServiceLoader.load(
                    OperationListener.class, OperationListener.class.getClassLoader())
            .findFirst()
            .orElse(null);

    private Instants() {}

    static void at(OperationListener.Instant instant, int rank, long version, long seq) {
        if (LISTENER != null) {
            LISTENER.at(instant, rank, version, seq);
        }
    }
}
