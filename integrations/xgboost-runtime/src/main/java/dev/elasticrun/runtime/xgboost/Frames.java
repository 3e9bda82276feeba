/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Encodes and decodes the frames between XGBoost's workers and tracker: little-endian 32-bit integers, and texts after
 * their length in bytes (dmlc/xgboost, {@code src/collective/protocol.h}). Owned by the tracker's thread.
 */
final class Frames {
    static final int MAGIC = 0xff99;
    /** More than any message of a worker but a report of an error, which is cut. */
    private static final int MAX_TEXT = 1 << 20;

    private final SocketChannel channel;
    private ByteBuffer in = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);

    Frames(SocketChannel channel) {
        this.channel = channel;
    }

    /** Takes what has come; false at the end of the stream. */
    boolean fill() throws IOException {
        while (true) {
            if (!in.hasRemaining()) {
                if (in.capacity() > MAX_TEXT) {
                    throw new IOException("more than " + MAX_TEXT + " bytes without an end");
                }
                ByteBuffer larger = ByteBuffer.allocate(2 * in.capacity()).order(ByteOrder.LITTLE_ENDIAN);
                in = larger.put(in.flip());
            }
            int read = channel.read(in);
            if (read < 0) {
                return false;
            } else if (read == 0) {
                return true;
            }
        }
    }

    /** The next integer; empty when it has not come yet. */
    Optional<Integer> integer() {
        if (in.position() < Integer.BYTES) {
            return Optional.empty();
        }
        int value = in.getInt(0);
        drop(Integer.BYTES);
        return Optional.of(value);
    }

    /** The next text; empty when not all of it has come yet. */
    Optional<String> text() throws IOException {
        if (in.position() < Integer.BYTES) {
            return Optional.empty();
        }
        int length = in.getInt(0);
        if (length < 0 || length > MAX_TEXT) {
            throw new IOException("a text of " + length + " bytes (expected: 0 to " + MAX_TEXT + ")");
        } else if (in.position() < Integer.BYTES + length) {
            return Optional.empty();
        }
        String text = new String(in.array(), Integer.BYTES, length, StandardCharsets.UTF_8);
        drop(Integer.BYTES + length);
        return Optional.of(text);
    }

    static ByteBuffer magic() {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .flip();
    }

    static ByteBuffer of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + bytes.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(bytes.length)
                .put(bytes)
                .flip();
    }

    /** One after the other. */
    static ByteBuffer all(ByteBuffer... parts) {
        ByteBuffer all = ByteBuffer.allocate(
                Arrays.stream(parts).mapToInt(ByteBuffer::remaining).sum());
        for (ByteBuffer part : parts) {
            all.put(part);
        }
        return all.flip();
    }

    private void drop(int bytes) {
        in.flip().position(bytes);
        in.compact();
    }
}
