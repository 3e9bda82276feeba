/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.util.Objects;

/**
 * Which checkpoint it is. Two with equal version may still differ; copies are matched on all four parts.
 *
 * @param incarnation the start of the run that made it
 * @param world the world that made it
 * @param version how many checkpoints the run had completed with it, from 1
 * @param digest of its content
 */
public record CheckpointId(String incarnation, long world, long version, long digest) {
    public CheckpointId {
        Objects.requireNonNull(incarnation, "incarnation");
        if (version < 1) {
            throw new IllegalArgumentException("version: " + version + " (expected: >= 1)");
        }
    }
}
