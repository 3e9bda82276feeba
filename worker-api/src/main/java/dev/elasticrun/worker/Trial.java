/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.TrialFiles;
import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.internal.reuse.Assignment;
import dev.elasticrun.worker.internal.reuse.KeptData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The trial of a study that this worker is a part of: the parameters that it has to try, and whether it is worth going on.
 *
 * <pre>{@code
 * Trial trial = Trial.current();
 * double rate = ((Number) trial.config().getOrDefault("rate", 0.1)).doubleValue();
 * ElasticLoop.run(state, collective -> {
 *     while (model.epoch < 100) {
 *         double loss = epoch(model, rate, collective);
 *         state.commit();
 *         if (trial.report(model.epoch, Map.of("loss", loss)) == Trial.Decision.STOP) {
 *             return;
 *         }
 *     }
 * });
 * }</pre>
 *
 * <p>All ranks report, each step after its commit, in the same order. Rank 0's metrics count; of a step that is reported
 * again, after a change of the world, the first ones do. All ranks receive the same decision for the same step: a step
 * that the study's rule judges waits for its decision, all others return at once.
 *
 * <p>A process that is no part of a study has a trial without parameters, which may always go on. One thread at a time.
 */
public final class Trial {
    private static final String WAITING = "trial-decision";
    /** The driver of the study may be away, and is started again. */
    private static final Duration WAIT_LIMIT = Duration.ofDays(7);

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int NOBODY = -1;

    private static final KeptData KEPT = new KeptData();
    private static @Nullable Trial instance;

    private final Map<String, Object> config;
    private final @Nullable TrialFiles files;
    private final IntSupplier rank;
    private TrialFiles.Control control = TrialFiles.Control.UNKNOWN;

    /** Whether a trial is to go on. */
    public enum Decision {
        GO_ON,
        /** The program saves what it wants to keep and ends with exit code 0. */
        STOP
    }

    Trial(Map<String, String> environment, IntSupplier rank) {
        this.config = Optional.ofNullable(environment.get(WorkerEnv.TRIAL_CONFIG))
                .map(TrialFiles::config)
                .orElse(Map.of());
        this.files = Optional.ofNullable(environment.get(WorkerEnv.TRIAL_DIR))
                .map(directory -> new TrialFiles(Path.of(directory)))
                .orElse(null);
        this.rank = rank;
    }

    /**
     * That of this process.
     *
     * @throws IllegalArgumentException if the variables that describe it cannot be read; names what is wrong
     */
    public static synchronized Trial current() {
        Trial known = instance;
        if (known == null) {
            Assignment assignment = Assignment.current();
            known = new Trial(assignment.environment(), Trial::currentRank);
            instance = known;
            assignment.atEnd(Trial::end);
        }
        return known;
    }

    private static synchronized void end() {
        instance = null;
    }

    /**
     * What this worker needs for each trial, as its rows: where a study has {@code reuse: true} it is loaded by the first trial in
     * this process, and kept for the next ones. Under each name the newest value is kept, until one of another key takes its place.
     * Elsewhere it is loaded. The calling thread loads; others that call wait for it.
     *
     * <pre>{@code
     * Table rows = Trial.reuse("rows", List.of(file, shard, shards), () -> Table.read(file, shard, shards));
     * }</pre>
     *
     * @param key of what is loaded: equal keys stand for equal values
     * @param load what it returns must not be changed by a trial
     * @throws Exception what {@code load} threw; nothing is kept then
     */
    public static <T> T reuse(String name, Object key, Callable<T> load) throws Exception {
        if (!Assignment.current().isOneOfMany()) {
            return load.call();
        }
        @SuppressWarnings("unchecked") // who gave the name gives its type
        T value = (T) KEPT.get(name, key, load);
        return value;
    }

    private static int currentRank() {
        WorkerInfo info = ElasticRuntime.getWorkerEvent().workerInfo();
        return info == null ? NOBODY : info.rank();
    }

    /** Whether there is a study that this worker is a part of. */
    public boolean isPartOfStudy() {
        return files != null;
    }

    /** Parameters by name, each a String, Long, Double or Boolean; not those that do not apply to this trial. */
    public Map<String, Object> config() {
        return config;
    }

    /** The same with a single metric. */
    public Decision report(long step, String metric, double value) {
        return report(step, Map.of(metric, value));
    }

    /**
     * Reports what the trial has reached, and returns whether to go on. Blocks while the study decides about this step,
     * also while its driver is away.
     *
     * @param step from 0, in the unit that the study's rule counts in, like boosting rounds or epochs
     * @param metrics any values, not a number and infinite ones included
     * @throws CancellationException when the thread is interrupted
     * @throws UncheckedIOException when the directory of the trial cannot be used
     */
    public Decision report(long step, Map<String, Double> metrics) {
        boolean isRecorded = record(step, metrics);
        TrialFiles known = files;
        if (known == null || step < control.until()) {
            return Decision.GO_ON;
        }
        control = read(known);
        return step < control.until() || control.stop() ? decision(step) : await(known, step, metrics, isRecorded);
    }

    /**
     * Reports metrics of a step without a question, as those between two commits. A later step asks.
     *
     * @return whether this rank's metrics count
     * @throws UncheckedIOException when the directory of the trial cannot be used
     */
    public boolean record(long step, Map<String, Double> metrics) {
        TrialFiles known = files;
        if (known == null || rank.getAsInt() != 0) {
            return false;
        }
        try {
            // In one write: a process that is killed leaves a whole line or none.
            Files.write(
                    known.reports(),
                    new TrialFiles.Report(step, metrics).line(),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot report step " + step, e);
        }
        return true;
    }

    private Decision decision(long step) {
        return step < control.until() ? Decision.GO_ON : Decision.STOP;
    }

    // Rank 0 can have died before it reported: who has its rank then reports.
    private Decision await(TrialFiles known, long step, Map<String, Double> metrics, boolean isRecorded) {
        boolean isReported = isRecorded;
        long pause = FIRST_PAUSE_NANOS;
        Section waiting = ElasticRuntime.section(WAITING, WAIT_LIMIT);
        try {
            while (step >= control.until() && !control.stop()) {
                if (!isReported) {
                    isReported = record(step, metrics);
                }
                if (Thread.currentThread().isInterrupted()) {
                    throw new CancellationException("interrupted while step " + step + " waits for a decision");
                }
                LockSupport.parkNanos(pause);
                pause = Math.min(2 * pause, LAST_PAUSE_NANOS);
                control = read(known);
            }
        } finally {
            waiting.close();
        }
        return decision(step);
    }

    private static TrialFiles.Control read(TrialFiles files) {
        try {
            return TrialFiles.Control.parse(Files.readAllBytes(files.control()));
        } catch (NoSuchFileException notYet) {
            return TrialFiles.Control.UNKNOWN;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read how far the trial may go", e);
        }
    }
}
