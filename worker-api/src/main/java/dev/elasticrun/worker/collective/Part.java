/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/**
 * One state within a checkpoint: the global one, or the local one of a rank.
 *
 * @param owner the rank that it is the local state of, in the world that made the checkpoint; {@link #GLOBAL} = none
 * @param digest of the content
 */
record Part(int owner, long digest, Content content) {
    static final int GLOBAL = -1;
}
