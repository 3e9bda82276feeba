/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How checkpoints are kept.
 *
 * @param givenDirectory see {@link #directory}
 * @param every how many versions lie between two durable copies
 * @param localReplicas how many other workers keep a copy of a worker's local state
 * @param onStateLoss what happens when no worker has the state that the run had
 */
public record CheckpointOptions(@Nullable Path givenDirectory, int every, int localReplicas, StateLoss onStateLoss) {
    static final CheckpointOptions DEFAULT = new CheckpointOptions(null, 1, 2, StateLoss.RESTART);

    public CheckpointOptions {
        Objects.requireNonNull(onStateLoss, "onStateLoss");
    }

    /** Where durable copies go, the same for all nodes; empty = none are made. */
    public Optional<Path> directory() {
        return Optional.ofNullable(givenDirectory);
    }

    CheckpointOptions withDirectory(Path value) {
        return new CheckpointOptions(value, every, localReplicas, onStateLoss);
    }

    CheckpointOptions withEvery(int value) {
        return new CheckpointOptions(givenDirectory, value, localReplicas, onStateLoss);
    }

    CheckpointOptions withLocalReplicas(int value) {
        return new CheckpointOptions(givenDirectory, every, value, onStateLoss);
    }

    CheckpointOptions withOnStateLoss(StateLoss value) {
        return new CheckpointOptions(givenDirectory, every, localReplicas, value);
    }
}
