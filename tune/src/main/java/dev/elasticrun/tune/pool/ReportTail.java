/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.pool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** What workers append to a file, in whole lines. */
final class ReportTail {
    private static final int MAX_BYTES = 256 << 10;

    private final Path file;
    private long position;

    ReportTail(Path file) {
        this.file = file;
    }

    /** The lines that have come since the last call; empty = none. */
    byte[] next() {
        try {
            if (Files.size(file) == position) {
                return new byte[0];
            }
            byte[] lines = whole(read());
            position += lines.length;
            return lines;
        } catch (NoSuchFileException notYet) {
            return new byte[0];
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read reports", e);
        }
    }

    private byte[] read() throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(MAX_BYTES, channel.size() - position));
            while (bytes.hasRemaining() && channel.read(bytes, position + bytes.position()) > 0) {
                // Until all of it is there.
            }
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }

    private static byte[] whole(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }
}
