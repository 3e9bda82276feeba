/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Follows one file. Only the thread {@code log-tail} touches it, but for the request to finish. */
final class LogTail implements AutoCloseable {
    private static final int LINE_LIMIT = 64 * 1024;
    /** A file that grows fast must not keep the others waiting. */
    private static final int CHUNKS_PER_TURN = 8;

    private final Path file;
    private final Supplier<String> prefix;
    private final BooleanSupplier enabled;
    private final OutputStream output;
    private final CompletableFuture<Void> finished = new CompletableFuture<>();
    private final LineAssembler assembler = new LineAssembler(LINE_LIMIT);

    private volatile boolean finishing;
    private @Nullable FileChannel channel;
    private long position;
    private boolean skipping;
    private boolean midLine;

    LogTail(Path file, Supplier<String> prefix, BooleanSupplier enabled, OutputStream output) {
        this.file = file;
        this.prefix = prefix;
        this.enabled = enabled;
        this.output = output;
    }

    /** Asks for the rest of the file, with a last line that has no end. */
    CompletableFuture<Void> finish() {
        finishing = true;
        return finished.copy();
    }

    OutputStream output() {
        return output;
    }

    void complete() {
        finished.complete(null);
    }

    /**
     * Reads what came since the last turn and appends prefixed lines to the batch.
     *
     * @return whether there is more to read at once
     */
    boolean turn(ByteBuffer buffer, ByteArrayOutputStream batch) throws IOException {
        FileChannel open = open();
        if (open == null) {
            return false;
        }
        long size = open.size();
        if (size < position) {
            // Cut by a tool that rotates logs in place: what is there now is new.
            position = 0;
            midLine = false;
        }
        if (!enabled.getAsBoolean()) {
            assembler.end(line -> write(line, batch));
            skipping = true;
            position = size;
            return false;
        }
        if (skipping) {
            skipping = false;
            midLine = position > 0 && byteAt(open, position - 1) != '\n';
        }
        for (int chunk = 0; chunk < CHUNKS_PER_TURN; chunk++) {
            buffer.clear();
            int count = open.read(buffer, position);
            if (count <= 0) {
                return false;
            }
            position += count;
            buffer.flip();
            if (midLine) {
                skipToLineFeed(buffer);
            }
            assembler.accept(buffer, line -> write(line, batch));
        }
        return position < size;
    }

    /** To be asked before a turn: what was written before {@link #finish} is then read by that turn or a later one. */
    boolean finishing() {
        return finishing;
    }

    void end(ByteArrayOutputStream batch) {
        assembler.end(line -> write(line, batch));
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }

    private @Nullable FileChannel open() throws IOException {
        if (channel == null) {
            try {
                channel = FileChannel.open(file, StandardOpenOption.READ);
            } catch (NoSuchFileException notYet) {
                return null;
            }
        }
        return channel;
    }

    private void skipToLineFeed(ByteBuffer buffer) {
        while (midLine && buffer.hasRemaining()) {
            midLine = buffer.get() != '\n';
        }
    }

    private void write(byte[] line, ByteArrayOutputStream batch) {
        batch.writeBytes(prefix.get().getBytes(StandardCharsets.UTF_8));
        batch.writeBytes(line);
        batch.write('\n');
    }

    private static int byteAt(FileChannel channel, long position) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        return channel.read(one, position) == 1 ? one.get(0) : '\n';
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
