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
import java.util.function.BiConsumer;

/** A worker's connection to the tracker: a greeting, who it is, and one call. Owned by the tracker's thread. */
final class TrackerLine {
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Frames frames;
    private final Deque<ByteBuffer> out = new ArrayDeque<>();
    private Stage stage = Stage.GREETING;
    private String taskId = "";
    private boolean last;

    private enum Stage {
        GREETING,
        WHO,
        CALL,
        ASKED
    }

    TrackerLine(SocketChannel channel, SelectionKey key) {
        this.channel = channel;
        this.key = key;
        this.frames = new Frames(channel);
        key.attach(this);
    }

    String taskId() {
        return taskId;
    }

    /** By which address other workers reach it, as it was seen here. */
    String host() {
        return ((InetSocketAddress) channel.socket().getRemoteSocketAddress())
                .getAddress()
                .getHostAddress();
    }

    String who() {
        return taskId.isEmpty() ? String.valueOf(channel.socket().getRemoteSocketAddress()) : "task " + taskId;
    }

    void greet() throws IOException {
        out.add(Frames.magic());
        flush();
    }

    /** Takes what has come; the call goes to the listener. */
    void read(BiConsumer<TrackerLine, TrackerCall> asked) throws IOException {
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
                asked.accept(this, TrackerCall.parse(call.get()));
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

    void closeWhenSaid() {
        last = true;
        if (out.isEmpty()) {
            close();
        }
    }

    void flush() throws IOException {
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

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
