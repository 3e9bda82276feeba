/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows one file. Only the thread {@code log-tail} touches it, but for the request to finish. */
final class LogTail implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);
    private static final int LINE_LIMIT = 64 * 1024;
    /** A file that grows fast must not keep the others waiting. */
    private static final int CHUNKS_PER_TURN = 8;

    private final Path file;
    private final List<LogSink.Batch> sinks;
    private final CompletableFuture<Void> finished = new CompletableFuture<>();
    private final LineAssembler assembler = new LineAssembler(LINE_LIMIT);

    private LogRotation rotation;
    private volatile boolean finishing;
    private @Nullable FileChannel channel;
    private volatile long position;
    private boolean skipping;
    private boolean midLine;

    LogTail(Path file, List<LogSink> sinks, LogRotation rotation) {
        this.file = file;
        this.sinks = sinks.stream().map(LogSink.Batch::new).toList();
        this.rotation = rotation;
    }

    /** Asks for the rest of the file, with a last line that has no end. */
    CompletableFuture<Void> finish() {
        finishing = true;
        return finished.copy();
    }

    /** How far it was read. */
    long position() {
        return position;
    }

    /** The number of unread bytes in this file. Any thread. */
    long unread() {
        try {
            return Math.max(0, Files.size(file) - position);
        } catch (IOException gone) {
            return 0;
        }
    }

    void complete() {
        finished.complete(null);
    }

    /**
     * Reads what came since the last turn and hands it to the sinks, which show it when they are flushed.
     *
     * @return whether there is more to read at once
     */
    boolean turn(ByteBuffer buffer) throws IOException {
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
        if (!listen()) {
            skipping = true;
            position = size;
        } else {
            size = read(open, buffer, size);
        }
        if (rotation.isDue(size)) {
            rotate(buffer);
            return true;
        }
        return position < size;
    }

    private void rotate(ByteBuffer buffer) throws IOException {
        long gone;
        try {
            gone = rotation.rotate(file);
        } catch (IOException e) {
            LOG.warn("{} is not rotated any more", file, e);
            rotation = LogRotation.NEVER;
            return;
        }
        if (gone > position && !skipping) {
            try (FileChannel part = FileChannel.open(LogRotation.part(file, 1), StandardOpenOption.READ)) {
                while (position < gone && consume(part, buffer)) {
                    flush();
                }
            }
        }
        position = Math.max(0, position - gone);
    }

    // Asks the sinks which of them want what comes; a held line belongs to those that wanted its beginning.
    private boolean listen() {
        boolean[] wanted = new boolean[sinks.size()];
        boolean any = false;
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = sinks.get(i).wanted();
            any |= wanted[i];
        }
        if (!any) {
            assembler.end(this::write);
        }
        for (int i = 0; i < wanted.length; i++) {
            sinks.get(i).turn(wanted[i]);
        }
        return any;
    }

    private long read(FileChannel open, ByteBuffer buffer, long size) throws IOException {
        if (skipping) {
            skipping = false;
            midLine = position > 0 && byteAt(open, position - 1) != '\n';
        }
        for (int chunk = 0; chunk < CHUNKS_PER_TURN; chunk++) {
            if (!consume(open, buffer)) {
                return position;
            }
        }
        return Math.max(size, position);
    }

    // Reads the next chunk; false when there is nothing more.
    private boolean consume(FileChannel from, ByteBuffer buffer) throws IOException {
        buffer.clear();
        int count = from.read(buffer, position);
        if (count <= 0) {
            return false;
        }
        // This thread alone writes it.
        long end = position + count;
        position = end;
        buffer.flip();
        if (midLine) {
            skipToLineFeed(buffer);
        }
        assembler.accept(buffer, this::write);
        return true;
    }

    /** Shows what was read; a sink that takes nothing does not keep the others from it. */
    void flush() throws IOException {
        IOException failure = null;
        for (LogSink.Batch sink : sinks) {
            try {
                sink.flush();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** To be asked before a turn: what was written before {@link #finish} is then read by that turn or a later one. */
    boolean finishing() {
        return finishing;
    }

    void end() {
        assembler.end(this::write);
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

    private void write(byte[] line) {
        sinks.forEach(sink -> sink.add(line));
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
