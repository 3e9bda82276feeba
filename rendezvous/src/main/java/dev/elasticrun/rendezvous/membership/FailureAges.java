/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.NodeRecord;
import java.util.HashMap;
import java.util.Map;

/** When the failures that a node tells of were, so that each of its records says how long ago. Owned by the loop. */
final class FailureAges {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Map<String, Long> endNanos = new HashMap<>();

    /** A record that is to be told. */
    void note(NodeRecord record, long nowNanos) {
        for (Failure failure : record.failures()) {
            endNanos.putIfAbsent(failure.key(), nowNanos - failure.heldMillis() * NANOS_PER_MILLI);
        }
        endNanos.keySet().retainAll(record.failures().stream().map(Failure::key).toList());
    }

    /** The record as it is to be told now. */
    NodeRecord aged(NodeRecord record, long nowNanos) {
        return record.failures().isEmpty()
                ? record
                : record.withFailures(record.failures().stream()
                        .map(failure -> failure.heldFor(
                                (nowNanos - endNanos.getOrDefault(failure.key(), nowNanos)) / NANOS_PER_MILLI))
                        .toList());
    }
}
