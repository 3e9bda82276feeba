/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.collective.BrokenLinkException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Reads bytes from a peer that sends with {@link LinkOutput}. It has no end of stream: the content states its length.
 */
public final class LinkInput extends InputStream {
    private final PeerLink link;
    private final CRC32C checksum = new CRC32C();
    private ByteBuffer piece = ByteBuffer.allocate(0);

    public LinkInput(PeerLink link) {
        this.link = link;
    }

    @Override
    public int read() throws BrokenLinkException {
        fill();
        return piece.get() & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws BrokenLinkException {
        if (length == 0) {
            return 0;
        }
        fill();
        int part = Math.min(piece.remaining(), length);
        piece.get(bytes, from, part);
        return part;
    }

    private void fill() throws BrokenLinkException {
        while (!piece.hasRemaining()) {
            piece = link.receive();
            int expected = piece.remaining() < Integer.BYTES ? 0 : piece.getInt();
            checksum.update(piece.duplicate());
            if (expected != (int) checksum.getValue()) {
                throw BrokenLinkException.malformed(link.rank(), "a piece arrived damaged");
            }
        }
    }
}
