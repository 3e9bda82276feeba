/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.collective.BrokenLinkException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Bytes to a peer, in frames of full size; {@link #finish} sends the rest and a checksum. */
public final class LinkOutput extends OutputStream {

    private final PeerLink link;
    private final ByteBuffer buffer =
            ByteBuffer.allocateDirect(PeerLink.PIECE - Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer trailer = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C checksum = new CRC32C();

    public LinkOutput(PeerLink link) {
        this.link = link;
    }

    @Override
    public void write(int value) throws IOException {
        if (!buffer.hasRemaining()) {
            send();
        }
        buffer.put((byte) value);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        int done = 0;
        while (done < length) {
            if (!buffer.hasRemaining()) {
                send();
            }
            int part = Math.min(buffer.remaining(), length - done);
            buffer.put(bytes, from + done, part);
            done += part;
        }
    }

    public void finish() throws BrokenLinkException {
        send();
    }

    private void send() throws BrokenLinkException {
        buffer.flip();
        checksum.update(buffer.duplicate());
        trailer.clear().putInt((int) checksum.getValue()).flip();
        link.send(trailer, buffer);
        buffer.clear();
    }
}
