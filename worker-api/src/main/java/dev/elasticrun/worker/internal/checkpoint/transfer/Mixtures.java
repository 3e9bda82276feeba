/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.CheckpointStore;
import dev.elasticrun.worker.internal.checkpoint.Content;
import dev.elasticrun.worker.internal.checkpoint.ContentPool;
import dev.elasticrun.worker.internal.checkpoint.FileBlob;
import dev.elasticrun.worker.internal.checkpoint.ParityPart;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParityPlan;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParitySet;
import dev.elasticrun.worker.internal.net.Digest;

/**
 * Where what parity makes for a checkpoint is put: in the heap, or in files.
 *
 * @param areStreamed whether local states of the checkpoint are outside of the heap
 * @param isSure whether the lengths of what is made are beyond doubt
 */
record Mixtures(CheckpointStore checkpointStore, CheckpointId id, boolean areStreamed, boolean isSure) {
    Mixture of(ParityPlan plan) throws BrokenLinkException {
        if (plan.length() > maxLength()) {
            throw BrokenLinkException.malformed(
                    plan.pieces().get(0).from(),
                    "a local state in parts of " + plan.length() + " bytes (expected: at most " + maxLength() + ")");
        }
        return areStreamed
                ? new ParityFile(plan.length(), checkpointStore.contentFiles(), id)
                : new ParityBuffer((int) plan.length(), isSure, checkpointStore.localPool());
    }

    /** Most bytes of a local state. */
    long maxLength() {
        return areStreamed ? Digest.MAX_LENGTH : ContentPool.MAX_LENGTH;
    }

    /** The block of a seat, with its digest if that is outside of the heap. */
    static ParityPart part(ParitySet set, int seat, Content content) {
        return new ParityPart(set, seat, content, content instanceof FileBlob file ? file.digest() : 0);
    }
}
