/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.ResultFile;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.internal.reuse.Assignment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connects a program that elastic-run started to its agent, for queries and reports. The first call connects this
 * process to its agent. Any thread may call.
 *
 * <pre>{@code
 * import dev.elasticrun.worker.Collective;
 * import dev.elasticrun.worker.ElasticRuntime;
 * import dev.elasticrun.worker.collective.ReduceOp;
 * import dev.elasticrun.worker.collective.WorldChangedException;
 *
 * public final class OwnLoop {
 *     public static void main(String[] args) {
 *         ElasticRuntime.main(OwnLoop::run);
 *     }
 *
 *     private static void run() {
 *         boolean isDone = false;
 *         while (!isDone) {
 *             Collective collective = ElasticRuntime.join();     // blocks until there is a round to work in
 *             try {
 *                 byte step = collective.loadCheckpoint().map(state -> state[0]).orElse((byte) 0);
 *                 while (step < 100) {
 *                     long[] present = {1};
 *                     collective.allReduce(present, ReduceOp.SUM);
 *                     step++;
 *                     collective.checkpoint(new byte[] {step});
 *                     ElasticRuntime.progress(step, 100);
 *                     ElasticRuntime.metric("workers", (double) present[0]);
 *                 }
 *                 collective.close();
 *                 isDone = true;
 *             } catch (WorldChangedException e) {
 *                 System.out.println("round " + collective.round() + " is over: " + e.getMessage());
 *             }
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>{@link ElasticLoop} does the same with a state.
 *
 * <p>A program that elastic-run did not start is a world of one, rank 0 of 1, so that it runs in an IDE and in a unit test:
 * collective operations and checkpoints work, and reports are dropped. A loop that begins after another one has ended is in a
 * new world, unless both have one state of {@link ElasticState#acrossLoops several loops}.
 *
 * <p>The process ends when its agent does. Uncaught exceptions are reported to the agent before the process ends. Calls
 * that block throw {@link java.util.concurrent.CancellationException} when their thread is interrupted.
 */
public final class ElasticRuntime {
    private static volatile @Nullable WorkerRuntime instance;
    private static boolean isReporting;
    private static boolean endsWithProcess;
    private static final Duration ATOMIC_LIMIT = Duration.ofSeconds(10);

    private ElasticRuntime() {}

    /** What a worker does, from its start to its end. */
    @FunctionalInterface
    public interface Program {
        void run() throws Exception;
    }

    /**
     * Runs a program so that every failure is reported: whatever it throws, from its first line on, is in the error
     * file and on standard error, and the process ends with exit code 1 also when other threads of it still run. Works
     * outside elastic-run, too. Without it, exceptions are reported from the first other call on.
     *
     * <pre>{@code
     * public static void main(String[] arguments) {
     *     ElasticRuntime.main(() -> train(arguments));
     * }
     * }</pre>
     */
    public static void main(Program program) {
        reportFailures();
        GuardedMain.run(program);
    }

    /**
     * Where this worker stands. Reports READY if that has not been done, then blocks until there is a round to work in.
     * Never returns a round that is paused, closed, or past the lease deadline.
     */
    public static WorkerInfo getWorkerInfo() {
        return runtime().info();
    }

    /**
     * The newest event, PAUSE included. Blocks until the first one: under {@code hard} it is there before the process
     * starts, under soft policies the agent writes it some moments after.
     */
    public static WorkerEvent getWorkerEvent() {
        return runtime().event();
    }

    /** Blocks until there is a round to work in that is newer than this one, or this one opened again after a pause. */
    public static WorkerInfo awaitWork(long afterRound) {
        return runtime().awaitWork(afterRound);
    }

    /**
     * Reports that this worker has loaded what it needs and can join a round. Called by {@link #getWorkerInfo} if the
     * program does not call it. Does not block and can be repeated.
     */
    public static void ready() {
        runtime().ready();
    }

    /**
     * Reports the worker's progress, which distinguishes a hang from work. Cheap: at most ten messages a second are
     * sent, and the rest is a store to shared memory.
     *
     * @param total planned steps; 0 = not known
     */
    public static void progress(long step, long total) {
        runtime().progress(step, total);
    }

    /** As {@link #progress(long, long)}, of a program that does not know how many steps there will be. */
    public static void progress(long step) {
        progress(step, 0);
    }

    /**
     * Publishes the newest value of a metric of this worker, as a loss or an accuracy: on the page about the run, in {@code
     * status}, for Prometheus and in events. Cheap: a store to shared memory; who looks reads what is there then. Worlds and
     * rounds do not matter to it.
     *
     * <pre>{@code
     * ElasticRuntime.metric("loss", loss);
     * }</pre>
     *
     * @param name at most 55 bytes in UTF-8, without control characters; at most 63 names in a process
     * @param value any, not a number and infinite ones included
     * @throws IllegalArgumentException when the name is none of these
     */
    public static void metric(String name, double value) {
        runtime().metrics().put(name, value);
    }

    /**
     * Hands a small result over to the launcher of the run: a score, or the place of a model. It is copied, replaces that of
     * an earlier call, and counts when this worker ends with exit code 0: if the run succeeds, the launcher of each node
     * has it in {@code LaunchResult.results()}, by the rank of this worker. Outside of a launcher it is dropped.
     *
     * <pre>{@code
     * ElasticRuntime.result("accuracy 0.97".getBytes(StandardCharsets.UTF_8));
     * }</pre>
     *
     * @param result at most 65536 bytes, and in a world of more than 256 workers its share of 16 MiB, or it is left out; an
     *     empty array is a result, too
     * @throws IllegalArgumentException if it is larger; names the size and the limit
     * @throws java.io.UncheckedIOException if the agent's file system is full
     */
    public static void result(byte[] result) {
        ResultFile.check(result.length);
        WorkerRuntime known = instance;
        if (known == null || !known.isOver()) {
            runtime().result(result);
        }
    }

    /**
     * Begins a part of the program that is no step, as loading or evaluating. From its second time on it is known how
     * long it takes; a worker that takes far longer hangs. See {@link #section(String, Duration)}.
     */
    public static Section section(String name) {
        return section(name, Duration.ZERO);
    }

    /**
     * The same with a time-out, which holds from the first time on and counts anew with each progress in it. A worker
     * that exceeds it is killed by its agent, which saves the stacks of its threads first.
     *
     * @param limit zero = to be learned
     */
    public static Section section(String name, Duration limit) {
        return runtime().progress().open(name, limit);
    }

    /**
     * Begins a part of the program in which its thread may wait for workers of its round by other means than this
     * library, in native code for example. As long as the round is open the worker counts as one that waits for its
     * peers, and is killed only when its whole JVM stalls. When the round is over for it, it has {@code
     * --straggler-timeout} to come out, and twice the longest that it needed before if that is more; then its agent
     * kills it, one worker at a time. So one such section lasts as long as one exchange with the peers, not as long as
     * many.
     *
     * <p>The round is the one that this program was given last. Before the first it is a section as any other.
     */
    public static Section peerSection(String name) {
        return peerSection(name, runtime().givenRound());
    }

    /**
     * The same with the round for which the other library's connections were made. That may be an older one than this
     * program was given last: when a worker is replaced, a call of the collective continues in the next round, and
     * returns as if nothing had happened.
     *
     * @param round 0 = none, a section as any other
     */
    public static Section peerSection(String name, long round) {
        if (round < 0) {
            throw new IllegalArgumentException("round: " + round + " (expected: 0 or more)");
        }
        return runtime().progress().open(name, Duration.ZERO, round);
    }

    /** As {@link #atomic(Duration, Program)}, for 10 s at most. */
    public static void atomic(Program part) throws Exception {
        atomic(ATOMIC_LIMIT, part);
    }

    /**
     * Runs a part of the program that a restart must not cut in half, as writing a file and the position that belongs to
     * it, on the calling thread. Until it ends, and no longer than the limit:
     *
     * <ul>
     *   <li>{@link #isPaused} and {@link #changed} are false for this thread, so that a program which polls them learns of
     *       a change after it;
     *   <li>the process does not end by SIGTERM or {@code System.exit}: its end waits.
     * </ul>
     *
     * <p>Nothing else waits. A pause is acknowledged at once and others continue without this worker; calls of the
     * collective in the part throw as anywhere. The agent's {@code --shutdown-timeout}, after which it sends SIGKILL,
     * counts from its SIGTERM: a limit above it is cut. What is written outside can be another round's turn already:
     * give it {@link WorkerInfo#round}. A part in a part belongs to the outer one.
     *
     * @param limit above zero
     * @throws Exception what the part threw
     */
    public static void atomic(Duration limit, Program part) throws Exception {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("atomic: " + limit + " (expected: above 0)");
        }
        runtime().atomicParts().run(part, TimeUnit.NANOSECONDS.convert(limit));
    }

    /** Whether this worker must not work now. Reads shared memory, no system call: call it at every step. */
    public static boolean isPaused() {
        return runtime().isPaused();
    }

    /** Whether this round is paused or over. Reads shared memory, no system call: call it at every step. */
    public static boolean changed(long round) {
        return runtime().isChanged(round);
    }

    /**
     * Waits for a round, connects to its workers and goes back to the checkpoint that they agree on. Once per round;
     * throws {@link dev.elasticrun.worker.collective.WorldChangedException} if the round ends first: call it again.
     */
    public static Collective join() {
        return runtime().join();
    }

    /** Ends the run as failed, whatever the restart policy; no restart is used. Use as {@code throw stopRun(...)}. */
    public static RunStoppedException stopRun(String message) {
        runtime().report(new UpMessage.StopRun(message));
        throw new RunStoppedException(message);
    }

    /** Requests that the run exclude this node, because of its hardware for example. */
    public static void excludeNode(String reason) {
        runtime().report(new UpMessage.ExcludeNode(reason));
    }

    /** Calls the listener with every later event, on the channel thread: it must not block. */
    public static void addListener(Consumer<WorkerEvent> listener) {
        runtime().addListener(listener);
    }

    /** For a loop with this state. */
    static synchronized WorkerRuntime runtime(ElasticState state) {
        WorkerRuntime present = instance;
        if (present != null) {
            present.beforeLoop(state);
        }
        return runtime();
    }

    static synchronized WorkerRuntime runtime() {
        WorkerRuntime runtime = instance;
        boolean isFirst = runtime == null;
        if (runtime == null || runtime.isOver()) {
            runtime = WorkerRuntime.start(Assignment.current().environment());
            instance = runtime;
        }
        if (isFirst) {
            Assignment.current().atEnd(ElasticRuntime::end);
            if (!endsWithProcess) {
                endsWithProcess = true;
                Runtime.getRuntime().addShutdownHook(new Thread(ElasticRuntime::shutDown, "elastic-shutdown"));
            }
            reportFailures();
        }
        return runtime;
    }

    /** The process goes on, as a worker of another run. */
    private static synchronized void end() {
        shutDown();
        instance = null;
    }

    private static void shutDown() {
        WorkerRuntime runtime = instance;
        if (runtime != null) {
            runtime.shutDown();
        }
    }

    private static synchronized void reportFailures() {
        if (!isReporting) {
            isReporting = true;
            Assignment assignment = Assignment.current();
            Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
            Thread.setDefaultUncaughtExceptionHandler(new FailureReporter(
                    Optional.ofNullable(assignment.environment().get(WorkerEnv.ERROR_FILE))
                            .map(Path::of),
                    ElasticRuntime::report,
                    ElasticRuntime::round,
                    before));
            assignment.atEnd(() -> stopReporting(before));
        }
    }

    private static synchronized void stopReporting(Thread.@Nullable UncaughtExceptionHandler before) {
        Thread.setDefaultUncaughtExceptionHandler(before);
        isReporting = false;
    }

    /** Does nothing in a program that has not called its agent before. */
    private static void report(UpMessage message) {
        WorkerRuntime runtime = instance;
        if (runtime != null) {
            runtime.report(message);
        }
    }

    private static long round() {
        WorkerRuntime runtime = instance;
        return runtime == null ? 0 : runtime.round();
    }
}
