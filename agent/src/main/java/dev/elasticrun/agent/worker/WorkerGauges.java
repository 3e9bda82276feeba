/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.directory.SmallFile;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.Heartbeat;
import dev.elasticrun.worker.contract.UpMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records each worker's progress, and what its process uses. Values from messages are kept; files are read only on
 * request, and at most twice a second. Safe for use by any thread; only those that call {@link #read} wait for the files
 * that it reads.
 */
public final class WorkerGauges {
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final ProcessUse.Places places;
    private final LongSupplier nanoTime;
    // Held while files are read; taken before this, which guards all else.
    private final Object reading = new Object();
    private final Map<Key, Watched> workers = new HashMap<>();
    // The newest ended worker of each slot, until it is replaced.
    private final Map<Key, Watched> ended = new HashMap<>();

    WorkerGauges() {
        this(ProcessUse.Places.standard(), System::nanoTime);
    }

    WorkerGauges(ProcessUse.Places places, LongSupplier nanoTime) {
        this.places = places;
        this.nanoTime = nanoTime;
    }

    /** Names one worker of this node. */
    public record Key(int slot, int attempt) {}

    private static final class Watched {
        private final Path heartbeat;
        private final Path metricFile;
        private final long pid;
        private final StepRate rate = new StepRate();
        private Heartbeat.@Nullable View seen;
        private long seenNanos;
        private long beatNanos;
        private long step;
        private long total;
        private long version;
        private ProcessUse use = ProcessUse.UNKNOWN;
        private long readNanos;
        private boolean countsSteps;
        private PublishedMetrics metrics = PublishedMetrics.NONE;

        Watched(ChannelLayout layout, long pid, long nowNanos) {
            this.heartbeat = layout.heartbeat();
            this.metricFile = layout.metrics();
            this.pid = pid;
            this.beatNanos = nowNanos;
            this.readNanos = nowNanos - FRESH_NANOS;
        }
    }

    /** @param layout of its channel, whose files need not be there, now or ever */
    synchronized void add(int slot, int attempt, ChannelLayout layout, long pid) {
        ended.keySet().removeIf(old -> old.slot() == slot);
        workers.put(new Key(slot, attempt), new Watched(layout, pid, nanoTime.getAsLong()));
    }

    /** It has ended; its files are still there. */
    synchronized void remove(int slot, int attempt) {
        Key key = new Key(slot, attempt);
        Watched worker = workers.remove(key);
        if (worker != null) {
            see(worker, heartbeatOf(worker), nanoTime.getAsLong());
            worker.metrics = PublishedMetrics.read(worker.metricFile);
            ended.put(key, worker);
        }
    }

    /** How far a worker was that paused or ended is known here, beside the rules, which do not need it. */
    public synchronized RunEvent completed(RunEvent event) {
        if (event instanceof RunEvent.PauseAcknowledged ack) {
            Watched worker = watched(ack.worker());
            return worker == null
                    ? ack
                    : new RunEvent.PauseAcknowledged(
                            ack.worker(), ack.seq(), ack.version(), stepOf(worker), ack.workerNanos());
        } else if (event instanceof RunEvent.WorkerExited exit) {
            Watched worker = watched(exit.worker());
            return worker == null
                    ? exit
                    : new RunEvent.WorkerExited(
                            exit.worker(), exit.end(), exit.asked(), stepOf(worker), worker.version);
        }
        return event;
    }

    /** What the program of a worker published, as it was read last: when somebody looked, and at its end. */
    public synchronized List<RunEvent.WorkerMetric> metrics(RunEvent.Worker worker) {
        Watched known = watched(worker);
        return known == null ? List.of() : known.metrics.events(worker, stepOf(known));
    }

    private @Nullable Watched watched(RunEvent.Worker worker) {
        Key key = new Key(worker.slot(), worker.attempt());
        return workers.getOrDefault(key, ended.get(key));
    }

    private static long stepOf(Watched worker) {
        Heartbeat.View view = worker.seen;
        return view == null || view.progress().step() == 0
                ? worker.step
                : view.progress().step();
    }

    /** The watch for hangs has read its heartbeat. */
    synchronized void looked(int slot, int attempt, Heartbeat.View view) {
        Watched worker = workers.get(new Key(slot, attempt));
        if (worker != null) {
            see(worker, view, nanoTime.getAsLong());
        }
    }

    synchronized void report(int slot, int attempt, UpMessage message) {
        Watched worker = workers.get(new Key(slot, attempt));
        if (worker == null) {
            return;
        }
        if (message instanceof UpMessage.Progress progress) {
            worker.total = progress.total();
            worker.step = progress.step();
            worker.version = Math.max(worker.version, progress.version());
        } else if (message instanceof UpMessage.Ack ack) {
            see(worker, heartbeatOf(worker), nanoTime.getAsLong());
            worker.version = Math.max(worker.version, ack.version());
        } else if (message instanceof UpMessage.Committed committed) {
            worker.version = Math.max(worker.version, committed.version());
        } else if (message instanceof UpMessage.Resumed resumed) {
            // It may have gone back: the version that it resumes from counts.
            worker.version = resumed.version();
        }
    }

    /**
     * How far workers are and what they take, of all that run, and of those that ended and were not replaced. Slot,
     * attempt, pid, rank and state are not filled in. Reads small files.
     */
    public Map<Key, WorkerStatus> read() {
        synchronized (reading) {
            long now = nanoTime.getAsLong();
            due(now).forEach((key, worker) -> take(key, worker, Files.read(places, worker), now));
            return all();
        }
    }

    private synchronized Map<Key, Watched> due(long nowNanos) {
        Map<Key, Watched> due = new HashMap<>(workers);
        due.values().removeIf(worker -> nowNanos - worker.readNanos < FRESH_NANOS);
        return due;
    }

    /** @param heartbeat empty = it wrote none, or the file cannot be decoded: the watch for hangs logs that */
    private record Files(Optional<Heartbeat.View> heartbeat, PublishedMetrics metrics, ProcessUse use) {
        static Files read(ProcessUse.Places places, Watched worker) {
            return new Files(
                    heartbeatOf(worker), PublishedMetrics.read(worker.metricFile), ProcessUse.read(places, worker.pid));
        }
    }

    /** Of what was read before the worker ended, and of a heartbeat older than the one that is known, nothing is taken. */
    private synchronized void take(Key key, Watched worker, Files files, long nowNanos) {
        if (workers.get(key) != worker) {
            return;
        }
        worker.readNanos = nowNanos;
        worker.use = files.use();
        worker.metrics = files.metrics();
        if (worker.seen == null || nowNanos - worker.seenNanos >= FRESH_NANOS) {
            see(worker, files.heartbeat(), nowNanos);
        }
    }

    private synchronized Map<Key, WorkerStatus> all() {
        long now = nanoTime.getAsLong();
        Map<Key, WorkerStatus> gauges = new HashMap<>();
        ended.forEach((key, worker) -> gauges.put(key, gauge(worker, now)));
        workers.forEach((key, worker) -> gauges.put(key, gauge(worker, now)));
        return gauges;
    }

    private static Optional<Heartbeat.View> heartbeatOf(Watched worker) {
        try {
            return Optional.of(Heartbeat.View.decode(SmallFile.read(worker.heartbeat, Heartbeat.SIZE)));
        } catch (IOException | IllegalArgumentException none) {
            return Optional.empty();
        }
    }

    private static void see(Watched worker, Optional<Heartbeat.View> view, long nowNanos) {
        view.ifPresentOrElse(known -> see(worker, known, nowNanos), () -> worker.seenNanos = nowNanos);
    }

    private static void see(Watched worker, Heartbeat.View view, long nowNanos) {
        Heartbeat.View before = worker.seen;
        if (before == null || view.beats() != before.beats()) {
            worker.beatNanos = nowNanos;
        }
        worker.seen = view;
        worker.seenNanos = nowNanos;
        worker.total = Math.max(worker.total, view.progress().total());
        if (view.progress().version() > 0) {
            worker.version = view.progress().version();
        }
        // A program that reports no steps makes one with each checkpoint.
        long counter = view.progress().step() > 0
                ? view.progress().step()
                : view.progress().version();
        if (worker.countsSteps != view.progress().step() > 0) {
            worker.countsSteps = view.progress().step() > 0;
            worker.rate.restart();
        }
        if (counter > 0) {
            worker.rate.observe(nowNanos, counter);
        }
    }

    private static WorkerStatus gauge(Watched worker, long nowNanos) {
        Heartbeat.View view = worker.seen;
        boolean beats = view != null && view.beats() > 0;
        WorkerStatus.Builder status = WorkerStatus.newBuilder()
                .setStep(stepOf(worker))
                .setTotal(worker.total)
                .setStepsPerSecond(worker.rate.perSecond())
                .setVersion(worker.version)
                .setStillMillis(beats ? TimeUnit.NANOSECONDS.toMillis(nowNanos - worker.beatNanos) : -1)
                .setSection(view == null ? "" : view.section().name())
                .setWaits(view != null && view.section().waits())
                .addAllMetrics(worker.metrics.status());
        worker.use.fill(status);
        return status.build();
    }
}
