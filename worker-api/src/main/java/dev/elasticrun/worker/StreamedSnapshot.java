/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * What must survive, as {@link Snapshotable}, of any size: it is written and read block by block, and no array holds it. The
 * channels are the methods' own until they return, on the thread of the loop; {@link java.nio.channels.Channels} makes streams
 * of them. A small state costs less as a {@link Snapshotable}.
 */
public interface StreamedSnapshot {

    /**
     * Writes everything that the next step depends on; the same bytes on every rank at the same step, unless it is a local
     * state. May be called more than once for a step. Calls no operation of the collective.
     *
     * @param to takes all of a buffer; a loss of the world is noticed only when all is written
     */
    void save(WritableByteChannel to) throws IOException;

    /** Goes back to what {@link #save} wrote, here or on another worker: the channel has just these bytes, then its end. */
    void restore(ReadableByteChannel from) throws IOException;
}
