/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.worker.contract.ListenPlace;
import java.util.Optional;

/** Whether a node encrypts what it says to others, where it was not told. Pure, but for the look at addresses. */
final class Encryption {
    private Encryption() {}

    /** The same with the answer: what listens where other hosts can reach it is encrypted, unless that was refused. */
    static LaunchConfig resolve(LaunchConfig config, ListenPlace place) {
        return config.tls().isAsked() ? config : with(config, place.isExposed() || isStoreExposed(config.store()));
    }

    /** The same, as the run has it. */
    static LaunchConfig with(LaunchConfig config, boolean encrypted) {
        return config.toBuilder().tls(encrypted).unchecked();
    }

    /** An embedded store listens at the address that all were given. */
    private static boolean isStoreExposed(StoreOptions store) {
        return store.backend() == RendezvousBackend.EMBEDDED
                && !store.standalone()
                && store.endpoints().stream()
                        .map(Endpoint::parse)
                        .flatMap(Optional::stream)
                        .anyMatch(endpoint -> !ListenPlaces.isLoopback(endpoint.host()));
    }
}
