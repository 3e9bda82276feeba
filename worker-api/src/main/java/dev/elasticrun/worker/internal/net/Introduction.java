/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.collective.BrokenLinkException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The first thing on a link: both ends send a text of any length, piece by piece in turn, so that neither can block. */
final class Introduction {
    private static final int MAX_BYTES = 16 * 1024 * 1024;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private Introduction() {}

    /** Returns what the peer said. */
    static byte[] swap(PeerLink link, byte[] mine) throws BrokenLinkException {
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        link.send(length.putInt(0, mine.length), NOTHING);
        ByteBuffer frame = link.receive();
        int total = frame.remaining() == Integer.BYTES ? frame.getInt(frame.position()) : -1;
        if (total < 0 || total > MAX_BYTES) {
            throw BrokenLinkException.malformed(link.rank(), "an introduction of " + total + " bytes");
        }
        byte[] theirs = new byte[total];
        int sent = 0;
        int received = 0;
        while (sent < mine.length || received < total) {
            if (sent < mine.length) {
                int bytes = Math.min(PeerLink.PIECE, mine.length - sent);
                link.send(ByteBuffer.wrap(mine, sent, bytes), NOTHING);
                sent += bytes;
            }
            if (received < total) {
                ByteBuffer piece = link.receive();
                int bytes = piece.remaining();
                if (bytes == 0 || bytes > total - received) {
                    throw BrokenLinkException.malformed(link.rank(), "a piece of " + bytes + " bytes");
                }
                piece.get(theirs, received, bytes);
                received += bytes;
            }
        }
        return theirs;
    }
}
