/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * Runs TLS over another wire. The first thread that calls does the handshake; after it one thread may read while one
 * writes, as the engine allows. An end is not announced: frames state their length, so an attacker that cuts a
 * connection gains nothing by it, and a close never waits for a peer.
 */
final class TlsWire implements Wire {
    /** Records that go through one system call. */
    private static final int BATCH = 8;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Wire carrier;
    private final SSLEngine engine;
    private final int recordBytes;
    /** Encrypted, as it came. On the heap, where ciphers work fastest; so are the others. */
    private final ByteBuffer encrypted;
    /** The rest of a record of which not all was read. */
    private final ByteBuffer plain;
    /** Encrypted, and not sent yet. */
    private final ByteBuffer outgoing;

    private volatile boolean isOpen;

    TlsWire(Wire carrier, SSLEngine engine) {
        this(carrier, engine, NOTHING);
    }

    /** @param begun first bytes of the other end, which were read already */
    TlsWire(Wire carrier, SSLEngine engine, ByteBuffer begun) {
        this.carrier = carrier;
        this.engine = engine;
        this.recordBytes = engine.getSession().getPacketBufferSize();
        this.encrypted = ByteBuffer.allocate(BATCH * recordBytes).put(begun).flip();
        this.plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                .flip();
        this.outgoing = ByteBuffer.allocate(BATCH * recordBytes).flip();
    }

    /**
     * Blocks until both ends have presented their certificates, once; later calls return at once. A refusal is sent to
     * the peer before it is thrown.
     */
    void handshake() throws IOException {
        if (!isOpen) {
            shakeHands();
        }
    }

    /** One thread, while others wait for it. */
    private synchronized void shakeHands() throws IOException {
        if (isOpen) {
            return;
        }
        engine.beginHandshake();
        try {
            while (!isOpen) {
                switch (engine.getHandshakeStatus()) {
                    case NEED_WRAP -> {
                        answer();
                        carrier.write(outgoing);
                    }
                    case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> receive();
                    case NEED_TASK -> engine.getDelegatedTask().run();
                    case NOT_HANDSHAKING, FINISHED -> isOpen = true;
                }
            }
        } catch (SSLException e) {
            sendAlert(e);
            throw e;
        }
    }

    private void receive() throws IOException {
        boolean isFirst = !encrypted.hasRemaining() && engine.getHandshakeSession() == null;
        plain.clear();
        SSLEngineResult result;
        try {
            result = engine.unwrap(encrypted, plain);
        } finally {
            plain.flip();
        }
        if (result.getStatus() == Status.BUFFER_UNDERFLOW && refill() < 0) {
            throw isFirst ? new EOFException("nothing was sent") : new SSLException("the TLS handshake ended early");
        } else if (result.getStatus() == Status.CLOSED) {
            throw new SSLException("the other end closed during the TLS handshake");
        }
    }

    private int refill() throws IOException {
        encrypted.compact();
        try {
            return carrier.read(encrypted);
        } finally {
            encrypted.flip();
        }
    }

    // Sends the engine's alert, which names the peer's fault.
    private void sendAlert(SSLException cause) {
        try {
            if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                answer();
                carrier.offer(outgoing);
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** Nothing is held: the engine's next words of the handshake. */
    private void answer() throws SSLException {
        outgoing.clear();
        try {
            engine.wrap(NOTHING, outgoing);
        } finally {
            outgoing.flip();
        }
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        handshake();
        while (to.hasRemaining()) {
            int taken = decrypt(to);
            if (taken != 0) {
                return taken;
            }
            if (refill() < 0) {
                return -1;
            }
        }
        return 0;
    }

    @Override
    public int poll(ByteBuffer to) throws IOException {
        handshake();
        int taken = decrypt(to);
        if (taken != 0 || !to.hasRemaining()) {
            return taken;
        }
        encrypted.compact();
        int read;
        try {
            read = carrier.poll(encrypted);
        } finally {
            encrypted.flip();
        }
        return read <= 0 ? read : decrypt(to);
    }

    /** Takes what is there already; -1 = the other end closed. */
    private int decrypt(ByteBuffer to) throws SSLException {
        int start = to.position();
        while (to.hasRemaining()) {
            if (plain.hasRemaining()) {
                int part = Math.min(plain.remaining(), to.remaining());
                to.put(to.position(), plain, plain.position(), part);
                to.position(to.position() + part);
                plain.position(plain.position() + part);
                continue;
            }
            Status status = to.remaining() < plain.capacity() ? decryptAside() : unwrap(to);
            if (status == Status.BUFFER_OVERFLOW) {
                status = decryptAside();
            }
            if (status == Status.CLOSED && to.position() == start) {
                return -1;
            } else if (status != Status.OK) {
                break;
            }
        }
        return to.position() - start;
    }

    /** A record that may be longer than what was requested. */
    private Status decryptAside() throws SSLException {
        plain.clear();
        try {
            return unwrap(plain);
        } finally {
            plain.flip();
        }
    }

    // Decrypts one record. The engine handles all other messages between the ends, such as new keys, by itself.
    private Status unwrap(ByteBuffer to) throws SSLException {
        if (!encrypted.hasRemaining()) {
            return Status.BUFFER_UNDERFLOW;
        }
        SSLEngineResult result = engine.unwrap(encrypted, to);
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            engine.getDelegatedTask().run();
        }
        return result.getStatus();
    }

    @Override
    public int offer(ByteBuffer... parts) throws IOException {
        handshake();
        int sent = 0;
        while (hasHeld() || encrypt(parts) > 0) {
            sent += carrier.offer(outgoing);
            if (hasHeld()) {
                break;
            }
        }
        return sent;
    }

    @Override
    public boolean hasHeld() {
        return outgoing.hasRemaining();
    }

    @Override
    public void write(ByteBuffer... parts) throws IOException {
        handshake();
        while (hasHeld() || encrypt(parts) > 0) {
            carrier.write(outgoing);
        }
    }

    /** Nothing is held: takes as much as fits; returns how many bytes are to be sent for it. */
    private int encrypt(ByteBuffer... parts) throws SSLException {
        outgoing.clear();
        try {
            while (outgoing.remaining() >= recordBytes && isLeft(parts)) {
                SSLEngineResult result = engine.wrap(parts, outgoing);
                if (result.getStatus() != Status.OK) {
                    throw new SSLException("the engine has ended: " + result.getStatus());
                }
            }
        } finally {
            outgoing.flip();
        }
        return outgoing.remaining();
    }

    private static boolean isLeft(ByteBuffer... parts) {
        for (ByteBuffer part : parts) {
            if (part.hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    /** Any thread; frees those that wait. */
    @Override
    public void close() {
        carrier.close();
    }
}
