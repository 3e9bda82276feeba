/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import java.util.Locale;

/** What collective operations go through. */
public enum Transport {
    /** Shared memory among the ranks of a node that can, TCP among nodes; if a rank cannot, TCP among all. */
    AUTO,
    /** TCP among all. */
    TCP,
    /** Shared memory; joining a round where that is not possible fails. */
    SHM;

    /** The name in small letters; throws IllegalArgumentException for any other. */
    public static Transport parse(String name) {
        for (Transport transport : values()) {
            if (transport.name().toLowerCase(Locale.ROOT).equals(name)) {
                return transport;
            }
        }
        throw new IllegalArgumentException("transport: " + name + " (expected: auto, tcp or shm)");
    }
}
