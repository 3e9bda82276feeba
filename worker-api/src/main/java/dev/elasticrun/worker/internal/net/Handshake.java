/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Both ends prove that they know the run key, bound to one call: HMAC-SHA256 over the role, both nonces and the hello,
 * which names the seats and the port. The key itself is never sent.
 *
 * <pre>
 * caller: hello, nonce     listener: nonce     caller: proof     listener: verdict, proof if ACCEPTED
 * </pre>
 *
 * The listener proves last, and only that it has the seat that was called, at the port that was called: a proof that it
 * made for another's seat could be passed on by an impostor that listens in the other's place. So the verdict may take
 * long: the listener holds a call for a round that it has not reached.
 */
public final class Handshake {
    /** Taken into the round, or, to a probe, alive. */
    static final int ACCEPTED = 1;

    /** The caller's round is over. */
    static final int OLD_ROUND = 2;

    private static final int NONCE = 16;
    private static final int PROOF = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final String MAC = "HmacSHA256";

    private final SecretKeySpec key;
    private final String incarnation;

    /** Looked up once: that takes longer than what it computes. */
    private @Nullable Mac mac;

    public Handshake(byte[] key, String incarnation) {
        this.key = new SecretKeySpec(key, MAC);
        this.incarnation = incarnation;
    }

    String incarnation() {
        return incarnation;
    }

    /**
     * Caller's side, all but the verdict.
     *
     * @return what the listener's proof must be
     */
    byte[] call(Wire wire, Hello hello) throws IOException {
        DataInputStream in = in(wire);
        DataOutputStream out = out(wire);
        byte[] mine = nonce();
        hello.write(out);
        out.write(mine);
        out.flush();
        byte[] theirs = new byte[NONCE];
        in.readFully(theirs);
        out.write(proof("caller", hello, mine, theirs));
        out.flush();
        return proof("listener", hello, mine, theirs);
    }

    /**
     * Caller's side, the end; blocks until there is a verdict.
     *
     * @param proof what {@link #call} returned
     */
    static int verdict(Wire wire, byte[] proof) throws IOException {
        DataInputStream in = in(wire);
        int verdict = in.readUnsignedByte();
        if (verdict == ACCEPTED) {
            byte[] theirs = new byte[PROOF];
            in.readFully(theirs);
            requireEqual(theirs, proof);
        }
        return verdict;
    }

    /**
     * Listener's side, all but the verdict. EOFException: the caller hung up before it sent anything.
     *
     * @param port where the wire came in
     */
    HeldCall answer(Wire wire, int port) throws IOException {
        PushbackInputStream first = new PushbackInputStream(in(wire));
        int head = first.read();
        if (head < 0) {
            throw new EOFException("nothing was sent");
        }
        first.unread(head);
        try {
            return answer(wire, port, new DataInputStream(first));
        } catch (EOFException e) {
            throw new IOException("the handshake ended early", e);
        }
    }

    private HeldCall answer(Wire wire, int port, DataInputStream in) throws IOException {
        DataOutputStream out = out(wire);
        Hello hello = Hello.read(in);
        if (!hello.incarnation().equals(incarnation)) {
            // The stranger's text is not repeated in the log.
            throw new IOException("the caller is of another run, or of another life of this one");
        }
        if (hello.port() != port) {
            throw new IOException("the caller called port " + hello.port() + ", which is not ours");
        }
        byte[] theirs = new byte[NONCE];
        in.readFully(theirs);
        byte[] mine = nonce();
        out.write(mine);
        out.flush();
        byte[] proof = new byte[PROOF];
        in.readFully(proof);
        requireEqual(proof, proof("caller", hello, theirs, mine));
        return new HeldCall(hello, wire, proof("listener", hello, theirs, mine));
    }

    private byte[] proof(String role, Hello hello, byte[] callerNonce, byte[] listenerNonce) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(text);
        out.write(role.getBytes(StandardCharsets.US_ASCII));
        out.write(callerNonce);
        out.write(listenerNonce);
        hello.write(out);
        return mac(text.toByteArray());
    }

    private synchronized byte[] mac(byte[] text) {
        if (mac == null) {
            try {
                Mac found = Mac.getInstance(MAC);
                found.init(key);
                mac = found;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(MAC + " is part of every JDK", e);
            }
        }
        return mac.doFinal(text);
    }

    private static void requireEqual(byte[] proof, byte[] expected) throws IOException {
        if (!MessageDigest.isEqual(proof, expected)) {
            throw new IOException("the other side does not know the run key");
        }
    }

    private static byte[] nonce() {
        byte[] nonce = new byte[NONCE];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    /** Not buffered: what follows the handshake is of frames. */
    private static DataInputStream in(Wire wire) {
        return new DataInputStream(new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                return length == 0 ? 0 : wire.read(ByteBuffer.wrap(to, offset, length));
            }
        });
    }

    private static DataOutputStream out(Wire wire) {
        return new DataOutputStream(new BufferedOutputStream(new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                wire.write(ByteBuffer.wrap(new byte[] {(byte) value}));
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                wire.write(ByteBuffer.wrap(from, offset, length));
            }
        }));
    }
}
