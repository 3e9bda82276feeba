/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.util.List;
import java.util.Objects;

/**
 * What a store reports of itself.
 *
 * @param version of the server, or of the API that it serves
 * @param allocatedBytes size of its database, with what was freed and not given back
 * @param usedBytes the part of that which holds data
 * @param alarms raised ones, as the server names them: with one of them it may refuse writes
 */
public record StoreFacts(String version, long allocatedBytes, long usedBytes, List<String> alarms) {

    public StoreFacts {
        Objects.requireNonNull(version, "version");
        alarms = List.copyOf(alarms);
    }
}
