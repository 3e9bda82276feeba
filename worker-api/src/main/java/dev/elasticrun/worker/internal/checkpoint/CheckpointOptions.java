/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalRedundancy;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Specifies how a worker keeps checkpoints, as its agent sets in the environment.
 *
 * @param redundancy how local states outlive their workers
 * @param keepsLazy whether lazy checkpoints are due in the node's files, where no worker outlives a round
 * @param endsOnStateLoss whether the run ends when a checkpoint was completed and no worker has any
 * @param durable directory of this run's durable copies
 * @param durableEvery how many versions apart those are
 * @param disk directory of the node for checkpoint files that do not fit into its run directory; empty = there is none
 */
public record CheckpointOptions(
        LocalRedundancy redundancy,
        boolean keepsLazy,
        boolean endsOnStateLoss,
        Optional<Path> durable,
        int durableEvery,
        Optional<Path> disk) {
    /** The options if the environment sets none. */
    public static final CheckpointOptions STANDARD =
            new CheckpointOptions(LocalRedundancy.copies(2), false, false, Optional.empty(), 1, Optional.empty());

    public CheckpointOptions {
        if (durableEvery < 1) {
            throw new IllegalArgumentException("durableEvery: " + durableEvery + " (expected: >= 1)");
        }
    }

    /** Throws IllegalArgumentException that names the variable. */
    public static CheckpointOptions of(Map<String, String> environment) {
        String onLoss = environment.getOrDefault(WorkerEnv.ON_STATE_LOSS, "restart");
        if (!onLoss.equals("restart") && !onLoss.equals("fail")) {
            throw new IllegalArgumentException(
                    WorkerEnv.ON_STATE_LOSS + ": " + onLoss + " (expected: restart or fail)");
        }
        return new CheckpointOptions(
                redundancy(environment),
                environment.containsKey(WorkerEnv.ROUND),
                onLoss.equals("fail"),
                Optional.ofNullable(environment.get(WorkerEnv.CHECKPOINT_DIR)).map(Path::of),
                number(environment, WorkerEnv.CHECKPOINT_EVERY, STANDARD.durableEvery(), 1),
                Optional.ofNullable(environment.get(WorkerEnv.CHECKPOINT_DISK)).map(Path::of));
    }

    private static LocalRedundancy redundancy(Map<String, String> environment) {
        int parity = number(environment, WorkerEnv.CHECKPOINT_PARITY, 0, 0);
        if (parity == 0) {
            return LocalRedundancy.copies(number(
                    environment, WorkerEnv.LOCAL_REPLICAS, STANDARD.redundancy().replicas(), 0));
        }
        if (parity < 2 || parity > WorkerEnv.MAX_CHECKPOINT_PARITY) {
            throw new IllegalArgumentException(WorkerEnv.CHECKPOINT_PARITY + ": " + parity + " (expected: 0, or 2 to "
                    + WorkerEnv.MAX_CHECKPOINT_PARITY + ")");
        }
        return LocalRedundancy.parity(parity);
    }

    private static int number(Map<String, String> environment, String name, int absent, int least) {
        return (int) Math.min(Integer.MAX_VALUE, WorkerEnv.number(environment, name, absent, least));
    }
}
