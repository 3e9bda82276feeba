/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The failures of workers that nodes told of, also of nodes that are gone. Owned by the loop. */
final class FailureMemory {
    static final int MAX = 256;

    private final Map<String, Failure> failures = new LinkedHashMap<>();

    /** What these say; beyond the most that are kept the oldest are forgotten. */
    void learn(List<Node> nodes) {
        for (Node node : nodes) {
            for (Failure failure : node.record().failures()) {
                failures.putIfAbsent(failure.nodeId() + "/" + failure.attempt() + "." + failure.slot(), failure);
            }
        }
        while (failures.size() > MAX) {
            failures.remove(failures.keySet().iterator().next());
        }
    }

    /** In the order in which they were told. */
    List<Failure> list() {
        return List.copyOf(failures.values());
    }
}
