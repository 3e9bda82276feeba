/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.Node;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the failures of workers that nodes reported, also of nodes that are gone. Owned by the loop. */
final class FailureLog {
    static final int MAX = 256;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Map<String, Known> failures = new LinkedHashMap<>();

    // endNanos: when the report arrived, less the time for which its agent had held it back; no clocks are compared.
    private record Known(Failure failure, long endNanos) {}

    /**
     * Adds the failures in the records of these nodes; beyond {@link #MAX} the oldest are forgotten.
     *
     * @param nodes in the order in which they were written
     */
    void learn(List<Node> nodes, long nowNanos) {
        for (Node node : nodes) {
            for (Failure failure : node.record().failures()) {
                // Reports take time, so that the earliest end of all is the best; ends in one record are on one clock.
                failures.merge(
                        failure.key(),
                        new Known(failure, nowNanos - failure.heldMillis() * NANOS_PER_MILLI),
                        (known, again) -> again.endNanos - known.endNanos < 0 ? again : known);
            }
        }
        while (failures.size() > MAX) {
            failures.remove(failures.keySet().iterator().next());
        }
    }

    /** The earliest end first; of ends at the same time the one that was reported first. */
    List<Failure> list() {
        return failures.values().stream()
                .sorted(Comparator.comparingLong(Known::endNanos))
                .map(Known::failure)
                .toList();
    }
}
