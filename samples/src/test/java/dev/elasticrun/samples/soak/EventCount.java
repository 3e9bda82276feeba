/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.soak;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Counts the lines of an event log as it grows, beyond the files that were deleted. Looked at before two rotations. */
final class EventCount {
    private final Path file;
    private long events;
    private long offset;

    EventCount(Path file) {
        this.file = file;
    }

    /** How many were written so far. */
    long read() throws IOException {
        if (Files.size(file) < offset) {
            count(file.resolveSibling(file.getFileName() + ".1"));
            offset = 0;
        }
        count(file);
        return events;
    }

    private void count(Path part) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.READ)) {
            channel.position(offset);
            while (channel.read(buffer.clear()) > 0) {
                offset += buffer.flip().remaining();
                while (buffer.hasRemaining()) {
                    events += buffer.get() == '\n' ? 1 : 0;
                }
            }
        }
    }
}
