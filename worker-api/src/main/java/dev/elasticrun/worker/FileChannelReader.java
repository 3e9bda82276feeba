/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.contract.Head;
import dev.elasticrun.worker.contract.MessageCodec;
import dev.elasticrun.worker.contract.WorkerEvent;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code events/} in order, on the daemon thread {@code channel-reader}. inotify wakes it where the file system
 * has it; it looks in any case every 250 ms, or every 20 ms without inotify.
 */
final class FileChannelReader implements Closeable {
    private static final System.Logger LOGGER = System.getLogger(FileChannelReader.class.getName());
    private static final long SAFETY_POLL_MILLIS = 250;
    private static final long BLIND_POLL_NANOS = 20_000_000L;
    /** Elsewhere (FUSE, NFS) changes by another host or mount go unnoticed. */
    private static final Set<String> NOTIFYING = Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "tmpfs", "overlay");

    /** Called on the reader's thread only. */
    interface Sink {
        void onEvent(WorkerEvent event);

        /** At least every 250 ms. */
        void onTick(long nowNanos);
    }

    private final ChannelLayout layout;
    private final Head head;
    private final Sink sink;
    private final Thread thread;
    private final @Nullable WatchService watcher;
    private long nextSeq = 1;
    private volatile boolean isClosed;

    FileChannelReader(ChannelLayout layout, Head head, Sink sink) {
        this.layout = layout;
        this.head = head;
        this.sink = sink;
        this.watcher = watch(layout.events());
        this.thread = Daemons.of("channel-reader", this::run);
    }

    void start() {
        thread.start();
    }

    /** Closing the watch frees its thread from the kernel, which would otherwise delay the end of the process. */
    @Override
    public void close() {
        isClosed = true;
        try {
            if (watcher != null) {
                watcher.close();
            }
        } catch (IOException e) {
            LOGGER.log(Level.DEBUG, "closing the watch", e);
        }
        LockSupport.unpark(thread);
    }

    private void run() {
        long lastTick = System.nanoTime() - TimeUnit.SECONDS.toNanos(1);
        while (!isClosed) {
            readAll();
            long now = System.nanoTime();
            if (now - lastTick >= TimeUnit.MILLISECONDS.toNanos(SAFETY_POLL_MILLIS / 2)) {
                sink.onTick(now);
                lastTick = now;
            }
            await();
        }
    }

    private void await() {
        if (watcher == null) {
            LockSupport.parkNanos(BLIND_POLL_NANOS);
            return;
        }
        try {
            WatchKey key = watcher.poll(SAFETY_POLL_MILLIS, TimeUnit.MILLISECONDS);
            if (key != null) {
                // The kind of event does not matter: the files contain the state.
                key.pollEvents();
                key.reset();
            }
        } catch (InterruptedException | ClosedWatchServiceException e) {
            isClosed = true;
        }
    }

    private void readAll() {
        while (!isClosed && (readNext() || skipGap())) {
            // Until nothing new is there.
        }
    }

    private boolean readNext() {
        Path file = layout.event(nextSeq);
        try {
            byte[] json = Files.readAllBytes(file);
            nextSeq++;
            sink.onEvent(MessageCodec.decodeEvent(json));
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IllegalArgumentException e) {
            LOGGER.log(Level.ERROR, file + " ignored: " + e.getMessage());
            return true;
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "cannot read " + file + ", trying again: " + e);
            return false;
        }
    }

    // The agent removes old events: a worker that was stopped for a long time continues with the oldest one left.
    private boolean skipGap() {
        if (head.seq() < nextSeq || Files.exists(layout.event(nextSeq))) {
            return false;
        }
        try (Stream<Path> files = Files.list(layout.events())) {
            OptionalLong oldest = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("[0-9]{1,18}\\.json"))
                    .mapToLong(name -> Long.parseLong(name.substring(0, name.length() - ".json".length())))
                    .filter(seq -> seq > nextSeq)
                    .min();
            oldest.ifPresent(seq -> nextSeq = seq);
            return oldest.isPresent();
        } catch (IOException e) {
            LOGGER.log(Level.WARNING, "cannot list " + layout.events() + ", trying again: " + e);
            return false;
        }
    }

    private static @Nullable WatchService watch(Path directory) {
        try {
            if (!NOTIFYING.contains(Files.getFileStore(directory).type())) {
                return null;
            }
            WatchService service = directory.getFileSystem().newWatchService();
            directory.register(service, StandardWatchEventKinds.ENTRY_CREATE);
            return service;
        } catch (IOException | UnsupportedOperationException e) {
            LOGGER.log(Level.INFO, "no inotify for " + directory + ", polling: " + e.getMessage());
            return null;
        }
    }
}
