/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.xgboost;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A worker's connection to the tracker: a greeting, who it is, and one call. Owned by the tracker's thread. */
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
    private String taskId = "";
    private boolean last;
    private @Nullable TrackerRelay relay;

    private enum Stage {
        GREETING,
        WHO,
        CALL,
        ASKED
    }

    /** Who is told what comes of the line. */
    interface Owner {
        void asked(TrackerLine line, TrackerCall call);

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
        return taskId;
    }

    /** By which address other workers reach it, as it was seen here. */
    String host() {
        return remote.getAddress().getHostAddress();
    }

    @Override
    public String who() {
        return taskId.isEmpty() ? remote.toString() : "task " + ForeignText.shown(taskId);
    }

    void greet() throws IOException {
        out.add(Frames.magic());
        flush();
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** Whether it has had time enough to ask for something, and did not. */
    boolean isLate(long nowNanos) {
        return stage != Stage.ASKED && nowNanos - sinceNanos > PATIENCE_NANOS;
    }

    /** Whether it has asked for something, and no answer is on its way. */
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
                        + Integer.toHexString(Frames.MAGIC) + ", as workers of XGBoost 2.1 and later say)");
            }
            stage = magic.isPresent() ? Stage.WHO : stage;
        }
        if (stage == Stage.WHO) {
            Optional<String> who = frames.text();
            if (who.isPresent()) {
                taskId = TrackerCall.taskId(who.get());
                stage = Stage.CALL;
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

    /** Says it as soon as the socket takes it; a worker that has gone does not hear it. */
    void say(String text) {
        out.add(Frames.of(text));
        try {
            flush();
        } catch (IOException gone) {
            close();
        }
    }

    /** Nothing is left to say. */
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
