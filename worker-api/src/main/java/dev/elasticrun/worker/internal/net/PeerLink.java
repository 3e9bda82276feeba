/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.collective.BrokenLinkException;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives frames over one wire: a length, a kind, the payload. One thread sends and one receives, mostly the
 * user thread both; any thread may close, which frees them. Also records since when one of them waits for the peer.
 */
public final class PeerLink implements Closeable {
    /** What fits into the smallest window that Linux opens with: a piece sent never waits for its receiver. */
    public static final int PIECE = 32 * 1024;

    /** Kinds of frames: values, why the operation cannot continue, the lost rank, values of any length in one frame. */
    static final int DATA = 1;

    static final int ABORT = 2;
    static final int LOST = 3;
    static final int BULK = 4;

    private static final int MAX_INTRODUCTION = 16 * 1024 * 1024;
    private static final int HEADER = FrameSender.HEADER;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final int rank;
    private final Wire wire;
    private final FrameReceiver in;
    private final FrameSender out;

    /** @param size of the world */
    PeerLink(int rank, int size, Wire wire) {
        this.rank = rank;
        this.wire = wire;
        this.in = new FrameReceiver(rank, size, wire);
        this.out = new FrameSender(rank, wire);
    }

    public int rank() {
        return rank;
    }

    /** System.nanoTime() when a thread began to wait for the peer; 0 = none waits. */
    public long waitingSince() {
        long sending = out.waitingSince();
        long receiving = in.waitingSince();
        return sending == 0 || (receiving != 0 && receiving - sending < 0) ? receiving : sending;
    }

    /** The user thread waits for a sign of the peer's that does not come over this link. */
    public void startWaiting() {
        in.startWaiting();
    }

    public void stopWaiting() {
        in.stopWaiting();
    }

    /** Checks, without waiting, whether the peer has hung up or reported that it cannot continue; throws if so. */
    public void listen() throws BrokenLinkException {
        in.listen();
    }

    public void send(ByteBuffer payload) throws BrokenLinkException {
        send(payload, NOTHING);
    }

    /** Sends both parts as one frame; positions move to the limits. */
    public void send(ByteBuffer first, ByteBuffer second) throws BrokenLinkException {
        out.start(DATA, first, second);
        out.finish();
    }

    /** Sends a payload of any size, for {@link #receiveBulk} only. */
    public void sendBulk(ByteBuffer payload) throws BrokenLinkException {
        out.start(BULK, payload, NOTHING);
        out.finish();
    }

    /** This thread waits for nothing here any more. What is left of a frame that it began goes ahead of the next one. */
    public void rest() {
        in.stopWaiting();
        out.letGo();
    }

    /** Begins a frame, of which nothing is sent yet; its parts stay as they are until it is. */
    public void start(ByteBuffer first, ByteBuffer second) throws BrokenLinkException {
        out.start(DATA, first, second);
    }

    /** Whether there is something left of a frame that was started. */
    public boolean isSending() {
        return out.isSending();
    }

    /** Sends what it can of the frame that was started; returns how many bytes. */
    public int sendSome() throws BrokenLinkException {
        return out.sendSome();
    }

    /** See {@link FrameReceiver#beginFrame}. */
    @Nullable
    public ByteBuffer beginFrame(int startBytes, int restBytes) throws BrokenLinkException {
        return in.beginFrame(startBytes, restBytes);
    }

    /** Throws if the frame that was begun has more or less left. */
    public void requireLeft(int expected) throws BrokenLinkException {
        in.requireLeft(expected);
    }

    /** See {@link FrameReceiver#receiveSome}. */
    public int receiveSome(ByteBuffer to) throws BrokenLinkException {
        return in.receiveSome(to);
    }

    /** Fills the buffer with the next payload, which must have been sent as bulk and be as long. */
    public void receiveBulk(ByteBuffer to) throws BrokenLinkException {
        in.receiveBulk(to);
    }

    /** The payload of the next frame, valid until the next call. */
    public ByteBuffer receive() throws BrokenLinkException {
        return in.receive();
    }

    /** Takes the next frame: values of any length are dropped, any other frame is thrown as by {@link #receive}. */
    public void skip() throws BrokenLinkException {
        in.skip();
    }

    /**
     * The first thing on a link: both ends send bytes of any length, piece by piece in turn, so that neither can block.
     *
     * @return what the peer sent
     */
    byte[] swap(byte[] mine) throws BrokenLinkException {
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        send(length.putInt(0, mine.length), NOTHING);
        ByteBuffer frame = receive();
        int total = frame.remaining() == Integer.BYTES ? frame.getInt(frame.position()) : -1;
        if (total < 0 || total > MAX_INTRODUCTION) {
            throw BrokenLinkException.malformed(rank, "an introduction of " + total + " bytes");
        }
        byte[] theirs = new byte[total];
        int sent = 0;
        int received = 0;
        while (sent < mine.length || received < total) {
            if (sent < mine.length) {
                int bytes = Math.min(PIECE, mine.length - sent);
                send(ByteBuffer.wrap(mine, sent, bytes), NOTHING);
                sent += bytes;
            }
            if (received < total) {
                ByteBuffer piece = receive();
                int bytes = piece.remaining();
                if (bytes == 0 || bytes > total - received) {
                    throw BrokenLinkException.malformed(rank, "a piece of " + bytes + " bytes");
                }
                piece.get(theirs, received, bytes);
                received += bytes;
            }
        }
        return theirs;
    }

    /**
     * Notifies the peer why the operation cannot continue. For another thread than the one that is in the operation.
     */
    void abort(MismatchNotice notice) throws BrokenLinkException {
        ByteBuffer text = notice.encode();
        ByteBuffer frame = direct(HEADER + text.remaining());
        frame.putInt(text.remaining()).putInt(ABORT).put(text);
        out.send(frame.flip());
    }

    /** Notifies the peer which rank this one has lost, so that it does not report this one when it closes. */
    void lost(int lostRank) throws BrokenLinkException {
        ByteBuffer frame = direct(HEADER + Integer.BYTES);
        frame.putInt(Integer.BYTES).putInt(LOST).putInt(lostRank);
        out.send(frame.flip());
    }

    @Override
    public void close() {
        wire.close();
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
