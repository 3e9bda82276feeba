/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.contract.Heartbeat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the heartbeats of a node's workers on the thread {@code hang-watch}. Workers that never reported progress are
 * not judged. Methods may be called by any thread and do not block.
 */
public final class HangWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HangWatch.class);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    // The interval while no worker reports progress.
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long CLOSE_WAIT_MILLIS = 1000;

    /** Receives the findings about one worker. */
    @FunctionalInterface
    public interface Listener {
        /**
         * The worker hangs; called once, on the thread of the watch. What can be saved of the worker is saved. It still
         * runs.
         *
         * @param hang of kind HANG or STRAGGLER; its message is one line and begins with {@code hang: }, its stack is
         *     that of the program's thread
         */
        void onHang(Failure.Evidence hang);

        /** The worker reports progress; called several times per second on the thread of the watch. */
        default void onLook(Heartbeat.View view) {}
    }

    /**
     * A worker's process and files.
     *
     * @param heartbeat need not be there yet
     */
    public record Target(Path heartbeat, long pid, Path stdout, Path stderr) {}

    private record Key(int slot, int attempt) {}

    private final HangLimits limits;
    private final LongPredicate eventLoops;
    private final LongSupplier nanoTime;
    private final Semaphore ended = new Semaphore(0);
    // Guards itself, the field round, and the states of the workers in it.
    private final Map<Key, WatchedWorker> workers = new LinkedHashMap<>();
    private final KillSequence<Key> killed;
    private RoundNow round = RoundNow.NONE;
    private @Nullable Thread thread;
    // When the last pass ended; confined to the thread of the watch.
    private long lookedNanos;

    private long pollNanos = POLL_NANOS;

    /**
     * @param eventLoops whether the process of that number has the thread that does the input and output of a library in
     *     which workers wait for each other; asked on the thread of the watch, of processes that may have ended
     */
    public HangWatch(HangLimits limits, LongPredicate eventLoops) {
        this(limits, eventLoops, System::nanoTime);
    }

    HangWatch(HangLimits limits, LongPredicate eventLoops, LongSupplier nanoTime) {
        this.limits = limits;
        this.eventLoops = eventLoops;
        this.killed = new KillSequence<>(limits.grace().toNanos());
        this.nanoTime = nanoTime;
        this.lookedNanos = nanoTime.getAsLong();
    }

    /** Starts the thread; once. */
    public synchronized void start() {
        if (thread != null) {
            throw new IllegalStateException("cannot start the watch: it was started already");
        }
        thread = Daemons.start("hang-watch", this::run);
    }

    public void add(int slot, int attempt, Target target, Listener listener) {
        synchronized (workers) {
            workers.put(new Key(slot, attempt), new WatchedWorker(target, listener, limits, eventLoops));
        }
    }

    /** The worker has ended; one that is not watched, too. */
    public void remove(int slot, int attempt) {
        synchronized (workers) {
            workers.remove(new Key(slot, attempt));
            killed.gone(new Key(slot, attempt), nanoTime.getAsLong());
        }
    }

    /** All workers are about to receive PAUSE. */
    public void paused() {
        synchronized (workers) {
            long now = nanoTime.getAsLong();
            round = round.paused(now);
            warmUp(now);
        }
    }

    /**
     * All workers are about to receive WORK for that round.
     *
     * @param place of this node among those of the round, from 0
     */
    public void working(long number, int place) {
        synchronized (workers) {
            long now = nanoTime.getAsLong();
            round = round.working(number, place, now);
            warmUp(now);
        }
    }

    // The first work of a worker takes another time than a step.
    private void warmUp(long nowNanos) {
        workers.values().forEach(worker -> worker.warmUp(nowNanos));
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

    // Whether any worker reports progress.
    private boolean round(long nowNanos, long lateNanos) throws InterruptedException {
        boolean anyProgress = false;
        List<Map.Entry<Key, StragglerState.Straggler>> due = new ArrayList<>();
        List<Key> keys;
        synchronized (workers) {
            keys = new ArrayList<>(workers.keySet());
        }
        for (Key key : keys) {
            WatchedWorker worker;
            RoundNow roundNow;
            synchronized (workers) {
                worker = workers.get(key);
                roundNow = round;
            }
            if (worker == null || worker.isReported()) {
                continue;
            }
            // Files are read outside the lock, which the agent's loop takes, too.
            Optional<Heartbeat.View> view = worker.read();
            anyProgress |= view.isPresent();
            view.ifPresent(worker.listener()::onLook);
            boolean isStopped = limits.findsHangs()
                    && view.isPresent()
                    && HangReport.isStopped(worker.target().pid());
            Optional<HangState.Hang> hang;
            synchronized (workers) {
                worker.forgive(lateNanos);
                hang = view.flatMap(seen -> worker.hang(seen, isStopped, nowNanos));
            }
            view.flatMap(seen -> worker.straggler(seen, roundNow, nowNanos))
                    .ifPresent(straggler -> due.add(Map.entry(key, straggler)));
            if (hang.isPresent()) {
                worker.reported();
                worker.listener().onHang(save(key, worker, hang.get()));
            }
        }
        endOne(due, nowNanos);
        return anyProgress;
    }

    // Ends the next one, by the kill sequence, of the workers whose grace time is over.
    private void endOne(List<Map.Entry<Key, StragglerState.Straggler>> due, long nowNanos) throws InterruptedException {
        Optional<Map.Entry<Key, StragglerState.Straggler>> next;
        WatchedWorker worker;
        synchronized (workers) {
            next = killed.next(due, nowNanos);
            worker = next.map(one -> workers.get(one.getKey())).orElse(null);
        }
        if (worker == null || worker.isReported()) {
            return;
        }
        Key key = next.get().getKey();
        StragglerState.Straggler straggler = next.get().getValue();
        Failure.Evidence saved = save(key, worker, straggler);
        // Saving takes a while, in which another one's end may have freed it.
        if (worker.read()
                .filter(view -> view.beats() != straggler.seen().beats())
                .isPresent()) {
            HangReport.discard(worker.target());
            return;
        }
        synchronized (workers) {
            if (!workers.containsKey(key)) {
                return;
            }
            killed.killed(key);
        }
        worker.reported();
        worker.listener().onHang(saved);
    }

    private static Failure.Evidence save(Key key, WatchedWorker worker, Finding found) throws InterruptedException {
        try {
            return HangReport.save(found, worker.target());
        } catch (IOException | RuntimeException e) {
            LOG.warn("worker={} attempt={} hangs, and what it does cannot be saved", key.slot(), key.attempt(), e);
            return Failure.Evidence.of(found.kind(), HangReport.describe(found, false, new ThreadDump(""), List.of()));
        }
    }
}
