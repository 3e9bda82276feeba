/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.NodeRecord;
import java.util.HashMap;
import java.util.Map;

/**
 * Keeps when the failures in a node's record happened, so that each version of the record states their age. Owned by
 * the loop.
 */
final class FailureAges {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Map<String, Long> endNanos = new HashMap<>();

    /** Notes the failures of a record that is to be published. */
    void note(NodeRecord record, long nowNanos) {
        for (Failure failure : record.failures()) {
            endNanos.putIfAbsent(failure.key(), nowNanos - failure.heldMillis() * NANOS_PER_MILLI);
        }
        endNanos.keySet().retainAll(record.failures().stream().map(Failure::key).toList());
    }

    /** The record to publish now. */
    NodeRecord aged(NodeRecord record, long nowNanos) {
        return record.failures().isEmpty()
                ? record
                : record.withFailures(record.failures().stream()
                        .map(failure -> failure.heldFor(
                                (nowNanos - endNanos.getOrDefault(failure.key(), nowNanos)) / NANOS_PER_MILLI))
                        .toList());
    }
}
