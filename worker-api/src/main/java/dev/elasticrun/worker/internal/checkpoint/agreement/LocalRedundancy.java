/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import dev.elasticrun.worker.contract.WorkerEnv;
import java.util.List;
import java.util.Optional;

/**
 * How local states outlive the workers that have them: as whole copies on other ranks, or by parity.
 *
 * @param replicas other ranks that get a copy
 * @param parity most nodes of a group whose nodes protect each other; 0 = there are copies instead
 */
public record LocalRedundancy(int replicas, int parity) {
    public LocalRedundancy {
        if (replicas < 0) {
            throw new IllegalArgumentException("replicas: " + replicas + " (expected: >= 0)");
        }
        if (parity != 0 && (parity < 2 || parity > WorkerEnv.MAX_CHECKPOINT_PARITY)) {
            throw new IllegalArgumentException(
                    "parity: " + parity + " (expected: 0, or 2 to " + WorkerEnv.MAX_CHECKPOINT_PARITY + ")");
        }
    }

    public static LocalRedundancy copies(int replicas) {
        return new LocalRedundancy(replicas, 0);
    }

    public static LocalRedundancy parity(int nodes) {
        return new LocalRedundancy(0, nodes);
    }

    /** Contents of each checkpoint that a rank has for others, as a rule. */
    public int contentsOfOthers() {
        return parity > 0 ? 1 : replicas;
    }

    /** Where copies are; there are none beside parity. */
    public LocalPlacement placement(List<String> nodes) {
        return new LocalPlacement(nodes, parity > 0 ? 0 : replicas);
    }

    /** Empty = there is no parity. */
    public Optional<ParityGroups> groups(List<String> nodes) {
        return parity > 0 ? Optional.of(new ParityGroups(nodes, parity)) : Optional.empty();
    }
}
