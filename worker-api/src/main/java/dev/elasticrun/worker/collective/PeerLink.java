/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Frames over one wire: a length, a kind, the payload. One thread sends and one receives, mostly the user thread both;
 * any thread may close, which frees them. Also tells since when one of them waits for the peer.
 */
final class PeerLink implements Closeable {
    /** What fits into the smallest window that Linux opens with: a piece sent never waits for its receiver. */
    static final int PIECE = 32 * 1024;

    /** A payload that is read in one go with what precedes it, and copied. */
    private static final int SMALL = 16 * 1024;

    private static final int HEADER = FrameSender.HEADER;
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
    private final FrameSender out;
    /** Bytes of the payload of a frame that was begun. */
    private int left;

    private volatile long receivingSince;

    /** @param size of the world */
    PeerLink(int rank, int size, Wire wire) {
        this.rank = rank;
        this.size = size;
        this.wire = wire;
        this.out = new FrameSender(rank, wire);
    }

    int rank() {
        return rank;
    }

    /** System.nanoTime() when a thread began to wait for the peer; 0 = none waits. */
    long waitingSince() {
        long sending = out.waitingSince();
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
        out.start(DATA, first, second);
        out.finish();
    }

    /** Sends a payload of any size, for {@link #receiveBulk} only. */
    void sendBulk(ByteBuffer payload) throws BrokenLinkException {
        out.start(BULK, payload, NOTHING);
        out.finish();
    }

    /** This thread waits for nothing here any more. What is left of a frame that it began goes ahead of the next one. */
    void rest() {
        receivingSince = 0;
        out.letGo();
    }

    /** Begins a frame, of which nothing is sent yet; its parts stay as they are until it is. */
    void start(ByteBuffer first, ByteBuffer second) throws BrokenLinkException {
        out.start(DATA, first, second);
    }

    /** Whether there is something left of a frame that was started. */
    boolean isSending() {
        return out.isSending();
    }

    /** Sends what it can of the frame that was started; returns how many bytes. */
    int sendSome() throws BrokenLinkException {
        return out.sendSome();
    }

    /**
     * Takes the start of the next frame, without waiting: null = it is not there yet. Else so many bytes of the payload are
     * at the position of the buffer, which moves with it. The rest, which must be as long as said, comes with
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
        dropRest();
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

    /** Takes the next frame: values of any length are dropped, what else a peer says is thrown as by {@link #receive}. */
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

    /** Tells the peer why the operation cannot go on. For another thread than the one that is in the operation. */
    void abort(MismatchNotice notice) throws BrokenLinkException {
        ByteBuffer text = notice.encode();
        ByteBuffer frame = direct(HEADER + text.remaining());
        frame.putInt(text.remaining()).putInt(ABORT).put(text);
        out.send(frame.flip());
    }

    /** Tells the peer whom this rank has lost, so that it does not blame this rank for closing. */
    void lost(int lostRank) throws BrokenLinkException {
        ByteBuffer frame = direct(HEADER + Integer.BYTES);
        frame.putInt(Integer.BYTES).putInt(LOST).putInt(lostRank);
        out.send(frame.flip());
    }

    @Override
    public void close() {
        wire.close();
    }

    private void noteArrival(int bytes) {
        if (bytes > 0) {
            receivingSince = 0;
        } else if (receivingSince == 0) {
            receivingSince = System.nanoTime();
        }
    }

    /** What nobody took of a frame that was begun. */
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
        return in.getInt(in.position() + Integer.BYTES) == DATA;
    }

    /** There is a header: another kind of frame ends the operation. */
    private ByteBuffer requireData() throws BrokenLinkException {
        if (!isData()) {
            int length = receive().remaining();
            throw BrokenLinkException.malformed(rank, "a frame of its own with " + length + " bytes");
        }
        return in;
    }

    /** Takes what has come, until there are so many bytes. */
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
