/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;

/** Gives a content from its first byte to its last. User thread. */
public final class StateInput implements ReadableByteChannel {
    private final Content content;
    private long at;
    private boolean isOpen = true;

    public StateInput(Content content) {
        this.content = content;
    }

    @Override
    public int read(ByteBuffer to) throws ClosedChannelException {
        if (!isOpen) {
            throw new ClosedChannelException();
        }
        int bytes = (int) Math.min(to.remaining(), content.length() - at);
        if (bytes == 0) {
            return to.hasRemaining() ? -1 : 0;
        }
        int limit = to.limit();
        content.read(at, to.limit(to.position() + bytes));
        to.limit(limit);
        at += bytes;
        return bytes;
    }

    @Override
    public boolean isOpen() {
        return isOpen;
    }

    @Override
    public void close() {
        isOpen = false;
    }
}
