/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Bytes between two workers, in order. Calls block, but for {@link #poll} and {@link #offer}. One thread reads, one
 * writes, or one does both without waiting; any thread may close, which frees them with an exception.
 */
public interface Wire extends Closeable {

    /** Takes what is there, at least one byte if there is room for one; -1 = the other end closed. */
    int read(ByteBuffer to) throws IOException;

    /** Takes what is there, maybe nothing, without waiting; -1 = the other end closed. */
    int poll(ByteBuffer to) throws IOException;

    /** Sends what it can of the parts, maybe nothing, without waiting; returns how many bytes were sent. */
    int offer(ByteBuffer... parts) throws IOException;

    /**
     * Whether bytes that were taken from parts are not on their way yet: further offers, or a write, bring them on it. For
     * the thread that sends.
     */
    default boolean hasHeld() {
        return false;
    }

    /** Sends all that is left in the parts, which lie behind each other on the wire; positions move to the limits. */
    void write(ByteBuffer... parts) throws IOException;

    /** Whether both ends are on this host, according to its kernel; known once the wire is connected. */
    default boolean isWithinHost() {
        return false;
    }

    @Override
    void close();
}
