/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Cuts bytes into lines. A line ends with a line feed, which is not part of it; one that is longer than the limit comes
 * in pieces of that size. One thread owns an instance.
 */
final class LineAssembler {
    private final int limit;
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();

    LineAssembler(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: >= 1)");
        }
        this.limit = limit;
    }

    /** Takes all bytes of the buffer. The byte arrays belong to the consumer. */
    void accept(ByteBuffer bytes, Consumer<byte[]> lines) {
        while (bytes.hasRemaining()) {
            int end = indexOfLineFeed(bytes);
            append(bytes, end < 0 ? bytes.remaining() : end, lines);
            if (end >= 0) {
                bytes.get();
                finish(lines);
            }
        }
    }

    /** Whether bytes of an unfinished line are held. */
    boolean hasPartialLine() {
        return partial.size() > 0;
    }

    /** Hands out the bytes after the last line feed as a line, if there are any. */
    void end(Consumer<byte[]> lines) {
        if (hasPartialLine()) {
            finish(lines);
        }
    }

    private void append(ByteBuffer bytes, int length, Consumer<byte[]> lines) {
        int rest = length;
        while (rest > 0) {
            if (partial.size() == limit) {
                finish(lines);
            }
            byte[] piece = new byte[Math.min(rest, limit - partial.size())];
            bytes.get(piece);
            partial.writeBytes(piece);
            rest -= piece.length;
        }
    }

    private void finish(Consumer<byte[]> lines) {
        byte[] line = partial.toByteArray();
        partial.reset();
        lines.accept(line);
    }

    private static int indexOfLineFeed(ByteBuffer bytes) {
        for (int i = bytes.position(); i < bytes.limit(); i++) {
            if (bytes.get(i) == '\n') {
                return i - bytes.position();
            }
        }
        return -1;
    }
}
