/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.channel;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.contract.UpMessage;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the messages of workers to their agent. The thread {@code channel-watch} wakes by inotify and polls all
 * channels every 250 ms anyway; every 20 ms where inotify is not available. Methods may be called by any thread. {@link
 * #close} before the JVM exits: a watch service that is open then delays the exit by 300 ms.
 */
public final class UpChannelReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UpChannelReader.class);
    private static final long SAFETY_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long FAST_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long CLOSE_WAIT_MILLIS = 1000;

    /** File systems whose changes inotify sees, as far as they are made on this host. */
    private static final Set<String> WATCHABLE = Set.of("tmpfs", "ext2", "ext3", "ext4", "xfs", "btrfs", "overlay");

    /** Receives each message once, in the order in which its worker wrote it, on any thread that uses the reader. */
    public interface Listener {
        /** Must not block. */
        void onMessage(int slot, int attempt, UpMessage message);

        /** A file that is no message; it is deleted and not reported again. Must not block. */
        void onDamaged(int slot, int attempt, Path file, String problem);
    }

    private record Attempt(int slot, int number) {}

    private final Listener listener;
    private final @Nullable WatchService watch;
    private final Map<Attempt, UpChannel> channels = new ConcurrentHashMap<>();
    private final Map<WatchKey, UpChannel> watched = new ConcurrentHashMap<>();
    private final Semaphore ended = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;
    private volatile long pollNanos = SAFETY_POLL_NANOS;

    private UpChannelReader(Listener listener, Callable<WatchService> watchServices) {
        this.listener = listener;
        this.watch = open(watchServices);
        this.thread = Daemons.of("channel-watch", this::run);
    }

    /** Starts the thread. */
    public static UpChannelReader start(Listener listener) {
        return start(listener, () -> FileSystems.getDefault().newWatchService());
    }

    static UpChannelReader start(Listener listener, Callable<WatchService> watchServices) {
        UpChannelReader reader = new UpChannelReader(listener, watchServices);
        reader.thread.start();
        return reader;
    }

    /** Begins to read the worker's messages, those included that are there already. */
    public void add(int slot, int attempt, ChannelLayout layout) {
        UpChannel channel = new UpChannel(slot, attempt, layout, listener);
        if (channels.putIfAbsent(new Attempt(slot, attempt), channel) != null) {
            throw new IllegalStateException("cannot add slot " + slot + " attempt " + attempt + ": it is read already");
        }
        register(channel);
        channel.scan();
    }

    /**
     * Delivers, on the calling thread, what the worker left, and forgets the worker. When it returns all messages have
     * been delivered: a worker reports why it fails just before it exits, so drain first and handle the exit then.
     */
    public void drain(int slot, int attempt) {
        UpChannel channel = channels.remove(new Attempt(slot, attempt));
        if (channel != null) {
            watched.forEach((key, other) -> {
                if (other == channel) {
                    key.cancel();
                    watched.remove(key);
                }
            });
            channel.drain();
        }
    }

    @Override
    public void close() {
        closed = true;
        ended.release();
        if (watch != null) {
            try {
                watch.close();
            } catch (IOException e) {
                LOG.warn("cannot close the watch service", e);
            }
        }
        try {
            thread.join(CLOSE_WAIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable WatchService open(Callable<WatchService> watchServices) {
        try {
            return watchServices.call();
        } catch (Exception e) {
            pollFast("no watch service: " + e.getMessage());
            return null;
        }
    }

    private void register(UpChannel channel) {
        WatchService service = watch;
        if (service == null) {
            return;
        }
        try {
            String type = Files.getFileStore(channel.directory()).type();
            if (!WATCHABLE.contains(type)) {
                pollFast(channel.directory() + " is on " + type);
            }
            watched.put(channel.directory().register(service, StandardWatchEventKinds.ENTRY_CREATE), channel);
        } catch (IOException e) {
            pollFast("cannot watch " + channel.directory() + ": " + e.getMessage());
        } catch (ClosedWatchServiceException e) {
            LOG.debug("channel added to a closed reader");
        }
    }

    private void pollFast(String reason) {
        if (pollNanos != FAST_POLL_NANOS) {
            pollNanos = FAST_POLL_NANOS;
            LOG.warn("polling for messages of workers each 20 ms: {}", reason);
        }
    }

    private void run() {
        long nextSweep = System.nanoTime();
        while (!closed) {
            try {
                awaitChange(nextSweep - System.nanoTime());
            } catch (InterruptedException | ClosedWatchServiceException e) {
                return;
            }
            if (nextSweep - System.nanoTime() <= 0) {
                channels.values().forEach(UpChannel::scan);
                nextSweep = System.nanoTime() + pollNanos;
            }
        }
    }

    private void awaitChange(long nanos) throws InterruptedException {
        if (watch == null) {
            if (ended.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
                closed = true;
            }
            return;
        }
        WatchKey key = watch.poll(nanos, TimeUnit.NANOSECONDS);
        if (key == null) {
            return;
        }
        // The events are hints, an overflow among them too: the directory is what counts.
        key.pollEvents();
        key.reset();
        UpChannel channel = watched.get(key);
        if (channel != null) {
            channel.scan();
        }
    }
}
