/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Frames over one wire: a length, a kind, the payload. One thread sends and one receives, mostly the user thread both;
 * any thread may close, which frees them. Also tells since when one of them waits for the peer.
 */
final class PeerLink implements Closeable {
    /** What fits into the smallest window that Linux opens with: a piece sent never waits for its receiver. */
    static final int PIECE = 32 * 1024;

    private static final int HEADER = 8;
    private static final int MAX_FRAME = PIECE + 4096;
    private static final int DATA = 1;
    private static final int ABORT = 2;
    private static final int LOST = 3;
    private static final int BULK = 4;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final int rank;
    private final int size;
    private final Wire wire;
    private final ByteBuffer in = direct(2 * (HEADER + MAX_FRAME)).flip();
    private final ByteBuffer header = direct(HEADER);
    private volatile long sendingSince;
    private volatile long receivingSince;

    /** @param size of the world */
    PeerLink(int rank, int size, Wire wire) {
        this.rank = rank;
        this.size = size;
        this.wire = wire;
    }

    int rank() {
        return rank;
    }

    /** System.nanoTime() when a thread began to wait for the peer; 0 = none waits. */
    long waitingSince() {
        long sending = sendingSince;
        long receiving = receivingSince;
        return sending == 0 || (receiving != 0 && receiving - sending < 0) ? receiving : sending;
    }

    /** The user thread waits for a sign of the peer's that does not come over this link. */
    void startWaiting() {
        receivingSince = System.nanoTime();
    }

    void stopWaiting() {
        receivingSince = 0;
    }

    /** Looks, without waiting, whether the peer has hung up or said that it cannot go on; throws if so. */
    void listen() throws BrokenLinkException {
        in.compact();
        int read;
        try {
            read = wire.poll(in);
        } catch (IOException e) {
            throw new BrokenLinkException(rank, e);
        } finally {
            in.flip();
        }
        if (in.remaining() >= HEADER
                && in.getInt(in.position() + Integer.BYTES) != DATA
                && in.remaining() >= HEADER + in.getInt(in.position())) {
            receive();
        }
        if (read < 0) {
            throw new BrokenLinkException(rank, "connection ended");
        }
    }

    void send(ByteBuffer payload) throws BrokenLinkException {
        send(payload, NOTHING);
    }

    /** Sends both parts as one frame; positions move to the limits. */
    void send(ByteBuffer first, ByteBuffer second) throws BrokenLinkException {
        header.clear()
                .putInt(first.remaining() + second.remaining())
                .putInt(DATA)
                .flip();
        write(header, first, second);
    }

    /** Sends a payload of any size, for {@link #receiveBulk} only. */
    void sendBulk(ByteBuffer payload) throws BrokenLinkException {
        header.clear().putInt(payload.remaining()).putInt(BULK).flip();
        write(header, payload);
    }

    /** Fills the buffer with the next payload, which must have been sent as bulk and be as long. */
    void receiveBulk(ByteBuffer to) throws BrokenLinkException {
        fill(HEADER);
        int length = in.getInt(in.position());
        if (in.getInt(in.position() + Integer.BYTES) != BULK || length != to.remaining()) {
            receive();
            throw BrokenLinkException.malformed(
                    rank, "a frame of its own (expected: bulk of " + to.remaining() + " bytes)");
        }
        in.position(in.position() + HEADER);
        int there = Math.min(length, in.remaining());
        to.put(in.slice(in.position(), there));
        in.position(in.position() + there);
        receivingSince = System.nanoTime();
        try {
            while (to.hasRemaining()) {
                if (wire.read(to) < 0) {
                    throw new BrokenLinkException(rank, "connection ended");
                }
                receivingSince = System.nanoTime();
            }
        } catch (BrokenLinkException e) {
            throw e;
        } catch (IOException e) {
            throw new BrokenLinkException(rank, e);
        } finally {
            receivingSince = 0;
        }
    }

    /** The payload of the next frame, valid until the next call. */
    ByteBuffer receive() throws BrokenLinkException {
        fill(HEADER);
        int length = in.getInt(in.position());
        int kind = in.getInt(in.position() + Integer.BYTES);
        if (length < 0 || length > MAX_FRAME || kind < DATA || kind > LOST) {
            throw BrokenLinkException.malformed(rank, "frame of kind " + kind + " with " + length + " bytes");
        }
        fill(HEADER + length);
        ByteBuffer payload = in.slice(in.position() + HEADER, length).order(ByteOrder.LITTLE_ENDIAN);
        in.position(in.position() + HEADER + length);
        if (kind == ABORT) {
            throw new CollectiveMismatchException(MismatchNotice.decode(rank, payload));
        } else if (kind == LOST) {
            int lost = length == Integer.BYTES ? payload.getInt(0) : -1;
            if (lost < 0 || lost >= size) {
                throw BrokenLinkException.malformed(rank, "loss of rank " + lost + " told in " + length + " bytes");
            }
            throw new BrokenLinkException(lost, "lost, says rank " + rank);
        }
        return payload;
    }

    /** Tells the peer why the operation cannot go on. For another thread than the one that is in the operation. */
    void abort(MismatchNotice notice) throws BrokenLinkException {
        ByteBuffer text = notice.encode();
        ByteBuffer frame = direct(HEADER + text.remaining());
        frame.putInt(text.remaining()).putInt(ABORT).put(text);
        write(frame.flip(), NOTHING, NOTHING);
    }

    /** Tells the peer whom this rank has lost, so that it does not blame this rank for closing. */
    void lost(int lostRank) throws BrokenLinkException {
        ByteBuffer frame = direct(HEADER + Integer.BYTES);
        frame.putInt(Integer.BYTES).putInt(LOST).putInt(lostRank);
        write(frame.flip(), NOTHING, NOTHING);
    }

    @Override
    public void close() {
        wire.close();
    }

    private void write(ByteBuffer... parts) throws BrokenLinkException {
        sendingSince = System.nanoTime();
        try {
            wire.write(parts);
        } catch (IOException e) {
            throw new BrokenLinkException(rank, e);
        } finally {
            sendingSince = 0;
        }
    }

    private void fill(int bytes) throws BrokenLinkException {
        if (in.remaining() >= bytes) {
            return;
        }
        in.compact();
        receivingSince = System.nanoTime();
        try {
            while (in.position() < bytes) {
                if (wire.read(in) < 0) {
                    throw new BrokenLinkException(rank, "connection ended");
                }
            }
        } catch (BrokenLinkException e) {
            throw e;
        } catch (IOException e) {
            throw new BrokenLinkException(rank, e);
        } finally {
            in.flip();
            receivingSince = 0;
        }
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
