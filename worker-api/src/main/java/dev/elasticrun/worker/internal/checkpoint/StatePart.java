/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;

/**
 * One state within a checkpoint: the global one, or the local one of a rank.
 *
 * @param owner the rank that it is the local state of, in the world that made the checkpoint; {@link CheckpointInventory#GLOBAL} = none
 * @param keeper the rank to which it is given, in the checkpoint's {@link Checkpoint#keeperWorld}; -1 for the global one
 * @param isOwn whether the keeper continues from it as its own; false = it was offered to the keeper as an orphan
 * @param digest of the content
 */
public record StatePart(int owner, int keeper, boolean isOwn, long digest, Content content) {
    static StatePart global(long digest, Content content) {
        return new StatePart(CheckpointInventory.GLOBAL, -1, false, digest, content);
    }

    public StatePart keptBy(int newKeeper, boolean isItsOwn) {
        return new StatePart(owner, newKeeper, isItsOwn, digest, content);
    }
}
