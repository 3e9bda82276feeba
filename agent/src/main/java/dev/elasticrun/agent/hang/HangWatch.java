/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import dev.elasticrun.worker.contract.Heartbeat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the heartbeats of a node's workers on the thread {@code hang-watch}. Workers that never told of progress are
 * not judged. Methods may be called by any thread and do not block.
 */
public final class HangWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HangWatch.class);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** While no worker tells of its progress. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long CLOSE_WAIT_MILLIS = 1000;

    /** Hears of one worker. */
    @FunctionalInterface
    public interface Listener {
        /**
         * The worker hangs; told once, on the thread of the watch. What can be saved of the worker is saved. It still runs.
         *
         * @param message in one line, begins with {@code hang: }
         * @param stack of the program's thread; empty = not known
         */
        void onHang(String message, String stack);

        /** The worker tells of its progress, some times a second; on the thread of the watch. */
        default void onLook(Heartbeat.View view) {}
    }

    /**
     * A worker's process and files.
     *
     * @param heartbeat need not be there yet
     */
    public record Target(Path heartbeat, long pid, Path stdout, Path stderr) {}

    private record Key(int slot, int attempt) {}

    private static final class Watched {
        private final Target target;
        private final Listener listener;
        private final HangState state;
        // Of the thread that looks.
        private boolean isReported;
        private boolean isDamaged;

        Watched(Target target, Listener listener, long floorNanos) {
            this.target = target;
            this.listener = listener;
            this.state = new HangState(floorNanos);
        }
    }

    private final long floorNanos;
    private final LongSupplier nanoTime;
    private final Semaphore ended = new Semaphore(0);
    // Guards itself and the states of the workers in it.
    private final Map<Key, Watched> workers = new LinkedHashMap<>();
    private @Nullable Thread thread;
    /** When the last look ended. Of the thread that looks. */
    private long lookedNanos;

    private long pollNanos = POLL_NANOS;

    /** @param floor no worker hangs that was still for less */
    public HangWatch(Duration floor) {
        this(floor, System::nanoTime);
    }

    HangWatch(Duration floor, LongSupplier nanoTime) {
        this.floorNanos = floor.toNanos();
        this.nanoTime = nanoTime;
        this.lookedNanos = nanoTime.getAsLong();
    }

    /** Starts the thread; once. */
    public synchronized void start() {
        if (thread != null) {
            throw new IllegalStateException("cannot start the watch: it was started already");
        }
        Thread started = new Thread(this::run, "hang-watch");
        started.setDaemon(true);
        started.start();
        thread = started;
    }

    public void add(int slot, int attempt, Target target, Listener listener) {
        synchronized (workers) {
            workers.put(new Key(slot, attempt), new Watched(target, listener, floorNanos));
        }
    }

    /** The worker has ended; one that is not watched, too. */
    public void remove(int slot, int attempt) {
        synchronized (workers) {
            workers.remove(new Key(slot, attempt));
        }
    }

    /** All workers pause, or begin to work. */
    public void warmUp() {
        synchronized (workers) {
            long now = nanoTime.getAsLong();
            workers.values().forEach(worker -> worker.state.warmUp(now));
        }
    }

    @Override
    public void close() {
        ended.release();
        Thread started;
        synchronized (this) {
            started = thread;
        }
        try {
            if (started != null) {
                started.interrupt();
                started.join(CLOSE_WAIT_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            lookedNanos = nanoTime.getAsLong();
            while (!ended.tryAcquire(pollNanos, TimeUnit.NANOSECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks at all workers once. A test calls it in place of the thread. */
    void look() throws InterruptedException {
        long now = nanoTime.getAsLong();
        // An agent that was stopped, or a busy machine: workers may have been, too.
        long late = now - lookedNanos - pollNanos;
        pollNanos = round(now, Math.max(0, late)) ? POLL_NANOS : REST_NANOS;
        lookedNanos = nanoTime.getAsLong();
    }

    /** Whether any worker tells of its progress. */
    private boolean round(long nowNanos, long lateNanos) throws InterruptedException {
        boolean told = false;
        List<Key> keys;
        synchronized (workers) {
            keys = new ArrayList<>(workers.keySet());
        }
        for (Key key : keys) {
            Watched worker;
            synchronized (workers) {
                worker = workers.get(key);
            }
            if (worker == null || worker.isReported) {
                continue;
            }
            // Files are read outside the lock, which the agent's loop takes, too.
            Optional<Heartbeat.View> view = read(worker);
            told |= view.isPresent();
            view.ifPresent(worker.listener::onLook);
            Optional<HangState.Hang> hang;
            synchronized (workers) {
                worker.state.forgive(lateNanos);
                hang = view.flatMap(seen -> worker.state.look(seen, nowNanos));
            }
            if (hang.isPresent()) {
                worker.isReported = true;
                report(key, worker, hang.get());
            }
        }
        return told;
    }

    private static Optional<Heartbeat.View> read(Watched worker) {
        if (!Files.exists(worker.target.heartbeat())) {
            return Optional.empty();
        }
        try {
            byte[] file = Files.size(worker.target.heartbeat()) == Heartbeat.SIZE
                    ? Files.readAllBytes(worker.target.heartbeat())
                    : new byte[0];
            return Optional.of(Heartbeat.View.decode(file));
        } catch (NoSuchFileException notYet) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            if (!worker.isDamaged) {
                worker.isDamaged = true;
                LOG.warn("{} cannot be read, hangs will not be noticed: {}", worker.target.heartbeat(), e.toString());
            }
            return Optional.empty();
        }
    }

    private void report(Key key, Watched worker, HangState.Hang hang) throws InterruptedException {
        HangReport report;
        try {
            report = HangReport.of(hang, worker.target);
        } catch (IOException | RuntimeException e) {
            LOG.warn("worker={} attempt={} hangs, and what it does cannot be saved", key.slot(), key.attempt(), e);
            report = new HangReport(HangReport.describe(hang, false, new ThreadDump(""), List.of()), "");
        }
        worker.listener.onHang(report.message(), report.stack());
    }
}
