/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.collective.BrokenLinkException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** The receiving half of a link. One thread receives; what it has read ahead is kept for the next call. */
final class FrameReceiver {
    /** A payload that is read in one go with what precedes it, and copied. */
    private static final int SMALL = 16 * 1024;

    private static final int HEADER = FrameSender.HEADER;
    private static final int MAX_FRAME = PeerLink.PIECE + 4096;

    private final int rank;
    private final int size;
    private final Wire wire;
    private final ByteBuffer in = ByteBuffer.allocateDirect(2 * (HEADER + MAX_FRAME))
            .order(ByteOrder.LITTLE_ENDIAN)
            .flip();
    /** Bytes of the payload of a frame that was begun. */
    private int left;

    private volatile long waitingSince;

    /**
     * @param rank of the peer
     * @param size of the world
     */
    FrameReceiver(int rank, int size, Wire wire) {
        this.rank = rank;
        this.size = size;
        this.wire = wire;
    }

    /** System.nanoTime() when a thread began to wait for the peer; 0 = none waits. */
    long waitingSince() {
        return waitingSince;
    }

    void startWaiting() {
        waitingSince = System.nanoTime();
    }

    void stopWaiting() {
        waitingSince = 0;
    }

    /** Checks, without waiting, whether the peer has hung up or reported that it cannot continue; throws if so. */
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
                && in.getInt(in.position() + Integer.BYTES) != PeerLink.DATA
                && in.remaining() >= HEADER + in.getInt(in.position())) {
            receive();
        }
        if (read < 0) {
            throw new BrokenLinkException(rank, "connection ended");
        }
    }

    /**
     * Takes the start of the next frame, without waiting: null = it is not there yet. Else {@code startBytes} bytes of
     * the payload are at the position of the buffer, which moves with it. The rest, {@code restBytes} long, comes with
     * {@link #receiveSome}.
     */
    @Nullable
    ByteBuffer beginFrame(int startBytes, int restBytes) throws BrokenLinkException {
        if (in.remaining() < HEADER + startBytes) {
            noteArrival(pollMore(HEADER + startBytes + (restBytes <= SMALL ? restBytes : 0)));
        }
        if (in.remaining() < HEADER || (in.remaining() < HEADER + startBytes && isData())) {
            return null;
        }
        int length = requireData().getInt(in.position());
        if (length < startBytes) {
            throw BrokenLinkException.malformed(
                    rank, length + " bytes in a frame (expected: at least " + startBytes + ")");
        }
        left = length - startBytes;
        in.position(in.position() + HEADER);
        return in;
    }

    /** Throws if the frame that was begun has more or less left. */
    void requireLeft(int expected) throws BrokenLinkException {
        if (left != expected) {
            throw BrokenLinkException.malformed(rank, left + " bytes in a frame (expected: " + expected + ")");
        }
    }

    /**
     * Takes what there is of the next frame, or of the one that was begun, without waiting. What is left of its payload
     * must be as long as what remains of the buffer; when the buffer is full the frame is complete. Returns how many bytes
     * it took.
     */
    int receiveSome(ByteBuffer to) throws BrokenLinkException {
        int taken = left > 0 ? 0 : receiveHeader(to.remaining());
        if (left > 0) {
            int there = Math.min(left, in.remaining());
            if (there > 0) {
                to.put(to.position(), in, in.position(), there);
                to.position(to.position() + there);
                in.position(in.position() + there);
                taken += there;
            }
            if (to.hasRemaining()) {
                taken += poll(to);
            }
            left = to.remaining();
        }
        noteArrival(taken);
        return taken;
    }

    /** Fills the buffer with the next payload, which must have been sent as bulk and be as long. */
    void receiveBulk(ByteBuffer to) throws BrokenLinkException {
        fill(HEADER);
        int length = in.getInt(in.position());
        if (in.getInt(in.position() + Integer.BYTES) != PeerLink.BULK || length != to.remaining()) {
            receive();
            throw BrokenLinkException.malformed(
                    rank, "a frame of its own (expected: bulk of " + to.remaining() + " bytes)");
        }
        in.position(in.position() + HEADER);
        int there = Math.min(length, in.remaining());
        to.put(in.slice(in.position(), there));
        in.position(in.position() + there);
        startWaiting();
        try {
            while (to.hasRemaining()) {
                if (wire.read(to) < 0) {
                    throw new BrokenLinkException(rank, "connection ended");
                }
                startWaiting();
            }
        } catch (BrokenLinkException e) {
            throw e;
        } catch (IOException e) {
            throw new BrokenLinkException(rank, e);
        } finally {
            stopWaiting();
        }
    }

    /** The payload of the next frame, valid until the next call. */
    ByteBuffer receive() throws BrokenLinkException {
        dropRest();
        fill(HEADER);
        int length = in.getInt(in.position());
        int kind = in.getInt(in.position() + Integer.BYTES);
        if (length < 0 || length > MAX_FRAME || kind < PeerLink.DATA || kind > PeerLink.LOST) {
            throw BrokenLinkException.malformed(rank, "frame of kind " + kind + " with " + length + " bytes");
        }
        fill(HEADER + length);
        ByteBuffer payload = in.slice(in.position() + HEADER, length).order(ByteOrder.LITTLE_ENDIAN);
        in.position(in.position() + HEADER + length);
        if (kind == PeerLink.ABORT) {
            throw new RanksDifferException(MismatchNotice.decode(rank, payload));
        } else if (kind == PeerLink.LOST) {
            int lost = length == Integer.BYTES ? payload.getInt(0) : -1;
            if (lost < 0 || lost >= size) {
                throw BrokenLinkException.malformed(rank, "loss of rank " + lost + " stated in " + length + " bytes");
            }
            throw new BrokenLinkException(lost, "lost, as rank " + rank + " reports");
        }
        return payload;
    }

    /** Takes the next frame: values of any length are dropped, any other frame is thrown as by {@link #receive}. */
    void skip() throws BrokenLinkException {
        dropRest();
        fill(HEADER);
        if (isData()) {
            left = in.getInt(in.position());
            in.position(in.position() + HEADER);
            dropRest();
        } else {
            receive();
        }
    }

    private void noteArrival(int bytes) {
        if (bytes > 0) {
            stopWaiting();
        } else if (waitingSince == 0) {
            startWaiting();
        }
    }

    // Drops what was not taken of a frame that was begun.
    private void dropRest() throws BrokenLinkException {
        while (left > 0) {
            fill(1);
            int there = Math.min(left, in.remaining());
            in.position(in.position() + there);
            left -= there;
        }
    }

    /** Looks for the header of a frame of that length, and for what comes with it if that is little. */
    private int receiveHeader(int expected) throws BrokenLinkException {
        int taken = in.remaining() < HEADER ? pollMore(HEADER + (expected <= SMALL ? expected : 0)) : 0;
        if (in.remaining() >= HEADER) {
            left = requireData().getInt(in.position());
            requireLeft(expected);
            in.position(in.position() + HEADER);
        }
        return taken;
    }

    private boolean isData() {
        return in.getInt(in.position() + Integer.BYTES) == PeerLink.DATA;
    }

    /** There is a header: another kind of frame ends the operation. */
    private ByteBuffer requireData() throws BrokenLinkException {
        if (!isData()) {
            int length = receive().remaining();
            throw BrokenLinkException.malformed(rank, "a frame of its own with " + length + " bytes");
        }
        return in;
    }

    // Takes what has come, until that number of bytes is there.
    private int pollMore(int bytes) throws BrokenLinkException {
        in.compact().limit(bytes);
        try {
            return poll(in);
        } finally {
            in.flip();
        }
    }

    private int poll(ByteBuffer to) throws BrokenLinkException {
        try {
            int read = wire.poll(to);
            if (read < 0) {
                throw new BrokenLinkException(rank, "connection ended");
            }
            return read;
        } catch (BrokenLinkException e) {
            throw e;
        } catch (IOException e) {
            throw new BrokenLinkException(rank, e);
        }
    }

    private void fill(int bytes) throws BrokenLinkException {
        if (in.remaining() >= bytes) {
            return;
        }
        in.compact();
        startWaiting();
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
            stopWaiting();
        }
    }
}
