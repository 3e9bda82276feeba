/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;

/**
 * A checkpoint with its content, which it holds.
 *
 * @param worldSize ranks of the world that made it
 */
record Checkpoint(CheckpointId id, int worldSize, Content content) {

    /** A copy of the state, with its digest. */
    static Checkpoint copyOf(
            byte[] state, String incarnation, long world, long version, int worldSize, ContentPool pool) {
        Content content = pool.take(state.length);
        long digest = Digest.copy(state, content.buffer(), state.length);
        return new Checkpoint(new CheckpointId(incarnation, world, version, digest), worldSize, content);
    }

    void release() {
        content.release();
    }
}
