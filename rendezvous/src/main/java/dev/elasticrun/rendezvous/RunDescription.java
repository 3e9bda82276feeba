/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run as the store has it, for people.
 *
 * @param nodes live nodes in join order
 * @param round newest round; null before the first
 * @param coordinator node id; empty when there is none
 */
public record RunDescription(
        String runId,
        String incarnation,
        String policy,
        int minNodes,
        int maxNodes,
        int maxRestarts,
        List<NodeRecord> nodes,
        @Nullable Round round,
        String coordinator) {

    public RunDescription {
        nodes = List.copyOf(nodes);
    }
}
