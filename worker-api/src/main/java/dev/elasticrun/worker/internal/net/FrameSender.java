/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.collective.BrokenLinkException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sending half of a link. A frame that was started keeps other threads out until it is sent, or until its sender lets
 * go of it; in that case what is left of it goes ahead of the next one.
 */
final class FrameSender {
    static final int HEADER = 8;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final int rank;
    private final Wire wire;
    private final ByteBuffer header =
            ByteBuffer.allocateDirect(HEADER).order(ByteOrder.LITTLE_ENDIAN).flip();
    // The rest of a frame. The thread that holds the lock sends it.
    private final ByteBuffer[] frame = {header, NOTHING, NOTHING};

    private final ReentrantLock lock = new ReentrantLock();
    private volatile long waitingSince;

    /** @param rank of the peer */
    FrameSender(int rank, Wire wire) {
        this.rank = rank;
        this.wire = wire;
    }

    /** System.nanoTime() when a thread began to wait for the peer; 0 = none waits. */
    long waitingSince() {
        return waitingSince;
    }

    /** Begins a frame, of which nothing is sent yet; its parts must stay as they are until it is. */
    void start(int kind, ByteBuffer first, ByteBuffer second) throws BrokenLinkException {
        lock.lock();
        if (isSending()) {
            finish();
            lock.lock();
        }
        header.clear()
                .putInt(first.remaining() + second.remaining())
                .putInt(kind)
                .flip();
        frame[1] = first;
        frame[2] = second;
    }

    /** Whether there is something left of a frame that was started. */
    boolean isSending() {
        return frame[0].hasRemaining() || frame[1].hasRemaining() || frame[2].hasRemaining() || wire.hasHeld();
    }

    /** Sends the frame that was started; blocks. Positions of its parts move to their limits. */
    void finish() throws BrokenLinkException {
        waitingSince = System.nanoTime();
        try {
            wire.write(frame);
            forget();
        } catch (IOException e) {
            throw new BrokenLinkException(rank, e);
        } finally {
            waitingSince = 0;
            lock.unlock();
        }
    }

    /** Sends what it can of the frame that was started, without waiting; returns how many bytes. */
    int sendSome() throws BrokenLinkException {
        int sent;
        try {
            sent = wire.offer(frame);
        } catch (IOException e) {
            throw new BrokenLinkException(rank, e);
        }
        if (!isSending()) {
            waitingSince = 0;
            forget();
            lock.unlock();
        } else if (sent > 0 || waitingSince == 0) {
            waitingSince = System.nanoTime();
        }
        return sent;
    }

    /** The thread that started a frame and has not sent all of it sends no more. */
    void letGo() {
        waitingSince = 0;
        if (lock.isHeldByCurrentThread()) {
            lock.unlock();
        }
    }

    /** Sends what is a frame already; for any thread, blocks. */
    void send(ByteBuffer whole) throws BrokenLinkException {
        lock.lock();
        try {
            wire.write(frame);
            forget();
            wire.write(whole);
        } catch (IOException e) {
            throw new BrokenLinkException(rank, e);
        } finally {
            lock.unlock();
        }
    }

    /** The parts are their owner's again. */
    private void forget() {
        frame[1] = NOTHING;
        frame[2] = NOTHING;
    }
}
