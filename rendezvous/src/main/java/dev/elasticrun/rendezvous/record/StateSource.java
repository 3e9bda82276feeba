/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.Objects;

/**
 * A live node without a rank in a round whose agent serves a checkpoint that is newer than those of the round's nodes, or can
 * be.
 *
 * @param address and control port at which its agent serves it
 * @param held the newest checkpoint that its record states
 * @param wasMember whether it was in the round before, or a source of it: workers commit more often than records are
 *     written
 */
public record StateSource(String nodeId, String address, int controlPort, HeldVersion held, boolean wasMember) {
    public StateSource {
        Objects.requireNonNull(nodeId, "nodeId");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(held, "held");
    }

    /** Whether it has more than a node with that checkpoint, as far as records state. */
    public boolean isAheadOf(HeldVersion own) {
        return held.compareTo(own) > 0;
    }

    /** Whether it has more than a node whose newest checkpoint, of the same history, is of that world and version. */
    public boolean isAheadOf(long world, long version) {
        return isAheadOf(HeldVersion.of(held.since(), world, version));
    }
}
