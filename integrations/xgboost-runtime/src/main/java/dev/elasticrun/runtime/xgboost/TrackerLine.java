/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import dev.elasticrun.agent.runtime.RuntimeRound;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A worker's connection to the tracker: it receives a greeting, the worker's identity and one call. It may also belong
 * to another node's tracker, which calls for one of its workers and receives a nonce to prove itself before it calls.
 * Owned by the tracker's thread.
 */
final class TrackerLine implements TrackerPeer {
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final long sinceNanos = System.nanoTime();
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Owner owner;
    private final InetSocketAddress remote;
    private final Frames frames;
    private final Deque<ByteBuffer> out = new ArrayDeque<>();
    private Stage stage = Stage.GREETING;
    private TrackerCall.Who who = new TrackerCall.Who("", "", "");
    private final String challenge = TrackerProof.nonce();
    private @Nullable TrackerProof proof;
    private int answers;
    private boolean last;
    private @Nullable TrackerRelay relay;

    private enum Stage {
        GREETING,
        WHO,
        CALL,
        ASKED
    }

    /** Receives the events of a line. */
    interface Owner {
        /** @throws IOException when the caller is to be hung up on */
        void asked(TrackerLine line, TrackerCall call) throws IOException;

        void dropped(TrackerLine line);
    }

    TrackerLine(SocketChannel channel, SelectionKey key, Owner owner) throws IOException {
        this.channel = channel;
        this.key = key;
        this.owner = owner;
        this.remote = (InetSocketAddress) channel.getRemoteAddress();
        this.frames = new Frames(channel);
        key.attach(this);
    }

    String taskId() {
        return who.taskId();
    }

    /** The node that calls for one of its workers; empty when a worker calls. */
    String node() {
        return who.node();
    }

    /** By what that node and this one know each other. */
    TrackerProof proof(RuntimeRound round, int port) {
        return new TrackerProof(round, who.node(), port, who.taskId(), who.nonce(), challenge);
    }

    /** From now on each answer carries a proof. */
    void proveBy(TrackerProof given) {
        proof = given;
    }

    /** Whether the caller is at this machine. */
    boolean isFromHere(String ownAddress) throws IOException {
        InetAddress here = ((InetSocketAddress) channel.getLocalAddress()).getAddress();
        return OwnMachine.isAt(remote.getAddress(), here, ownAddress);
    }

    /** By which address other workers reach it, as it was seen here. */
    String host() {
        return remote.getAddress().getHostAddress();
    }

    @Override
    public String who() {
        return who.taskId().isEmpty() ? remote.toString() : "task " + ForeignText.shown(who.taskId());
    }

    void greet() throws IOException {
        out.add(Frames.magic());
        flush();
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Whether the time for its request is over without one. */
    boolean isLate(long nowNanos) {
        return stage != Stage.ASKED && nowNanos - sinceNanos > PATIENCE_NANOS;
    }

    /** Whether it has sent a request, and no answer is on its way. */
    boolean waits() {
        return stage == Stage.ASKED && !last;
    }

    /** Another tracker answers. */
    void relayedBy(TrackerRelay other) {
        relay = other;
    }

    @Override
    public void proceed() throws IOException {
        if (key.isWritable()) {
            flush();
        }
        if (key.isValid() && key.isReadable()) {
            read();
        }
    }

    @Override
    public void drop() {
        close();
        if (relay != null) {
            relay.close();
        }
        owner.dropped(this);
    }

    private void read() throws IOException {
        boolean more = frames.fill();
        if (stage == Stage.GREETING) {
            Optional<Integer> magic = frames.integer();
            if (magic.isPresent() && magic.get() != Frames.MAGIC) {
                throw new IOException("greeting: " + Integer.toHexString(magic.get()) + " (expected: "
                        + Integer.toHexString(Frames.MAGIC) + ", as workers of XGBoost 2.1 and later send)");
            }
            stage = magic.isPresent() ? Stage.WHO : stage;
        }
        if (stage == Stage.WHO) {
            Optional<String> text = frames.text();
            if (text.isPresent()) {
                who = TrackerCall.who(text.get());
                stage = Stage.CALL;
                if (!who.node().isEmpty()) {
                    send(TrackerCall.challenge(challenge));
                }
            }
        }
        if (stage == Stage.CALL) {
            Optional<String> call = frames.text();
            if (call.isPresent()) {
                stage = Stage.ASKED;
                owner.asked(this, TrackerCall.parse(call.get()));
            }
        }
        if (!more && channel.isOpen()) {
            throw new IOException("it hung up");
        }
    }

    /** What the worker is to receive, itself or by its node. */
    void answer(String text) {
        answers++;
        send(proof == null ? text : TrackerCall.answer(new TrackerCall.Answer(text, proof.ofAnswer(answers, text))));
    }

    private void send(String text) {
        out.add(Frames.of(text));
        try {
            flush();
        } catch (IOException gone) {
            close();
        }
    }

    /** Closes the line when all answers are sent. */
    void answered() {
        last = true;
        if (out.isEmpty()) {
            close();
        }
    }

    private void flush() throws IOException {
        while (!out.isEmpty()) {
            channel.write(out.element());
            if (out.element().hasRemaining()) {
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                return;
            }
            out.remove();
        }
        if (last) {
            close();
        } else if (key.isValid()) {
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    private void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
