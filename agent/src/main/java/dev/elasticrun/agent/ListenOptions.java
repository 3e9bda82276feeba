/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.worker.contract.ListenPlace;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where this node listens for others of its run.
 *
 * @param givenAddress see {@link #address}
 * @param givenPorts see {@link #ports}
 */
public record ListenOptions(
        @Nullable String givenAddress, @Nullable String givenPorts) {
    static final ListenOptions DEFAULT = new ListenOptions(null, null);

    /** Address of this machine at which to listen; empty = that at which other nodes reach this one, if it is one. */
    public Optional<String> address() {
        return Optional.ofNullable(givenAddress);
    }

    /** Range of ports, A-B, for all that listens on this node without a port of its own; empty = any. */
    public Optional<String> ports() {
        return Optional.ofNullable(givenPorts);
    }

    /** Such a place at an address, with the ports that are wanted. */
    ListenPlace with(ListenPlace place) {
        return givenPorts == null ? place : place.withPorts(givenPorts);
    }
}
