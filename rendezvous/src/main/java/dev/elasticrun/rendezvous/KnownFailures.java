/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a coordinator knows of failures, by when their workers ended: when it heard of one, less the time for which the
 * worker's agent had held that back. Clocks of two hosts are not compared.
 */
final class KnownFailures {
    private static final int MAX_FAILURES = 256;

    private final Map<String, Known> failures = new LinkedHashMap<>();

    private record Known(Failure failure, long endNanos) {}

    /** @param nodes in the order in which they were written */
    void learn(List<Node> nodes, long nowNanos) {
        for (Node node : nodes) {
            for (Failure failure : node.record().failures()) {
                String key = failure.nodeId() + "/" + failure.attempt() + "." + failure.slot();
                failures.putIfAbsent(key, new Known(failure, nowNanos - failure.heldMillis() * 1_000_000));
            }
        }
        while (failures.size() > MAX_FAILURES) {
            failures.remove(failures.keySet().iterator().next());
        }
    }

    /** The earliest end first; of ends at the same time that which was heard of first. */
    List<Failure> inOrder() {
        return failures.values().stream()
                .sorted(Comparator.comparingLong(known -> known.endNanos))
                .map(Known::failure)
                .toList();
    }
}
