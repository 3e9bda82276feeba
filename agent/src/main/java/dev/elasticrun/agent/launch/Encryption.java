/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

import dev.elasticrun.agent.backend.StoreProviders;
import dev.elasticrun.worker.contract.ListenPlace;

/**
 * Decides whether a node encrypts its communication with others, where that is not configured. Pure, but for reading
 * the addresses.
 */
public final class Encryption {
    private Encryption() {}

    /** The same with the answer: what listens where other hosts can reach it is encrypted, unless that was refused. */
    public static LaunchConfig resolve(LaunchConfig config, ListenPlace place) {
        boolean exposed = place.isExposed() || isStoreExposed(config.store());
        return config.tls().isAsked() ? config : config.toBuilder().tls(exposed).unchecked();
    }

    /** The same with the run's encryption. */
    public static LaunchConfig adopt(LaunchConfig config, boolean encrypted) {
        return config.toBuilder().tls(encrypted).insecure(!encrypted).unchecked();
    }

    /** An embedded store listens at the address that all were given. */
    private static boolean isStoreExposed(StoreOptions store) {
        return store.backend().equals(StoreProviders.EMBEDDED)
                && !store.standalone()
                && !ListenPlaces.areLoopback(store.endpoints());
    }
}
