/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.Head;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.TlsFiles;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.contract.WorkerState;
import dev.elasticrun.worker.internal.checkpoint.CheckpointOptions;
import dev.elasticrun.worker.internal.engine.DataPlane;
import dev.elasticrun.worker.internal.engine.Exchanges;
import dev.elasticrun.worker.internal.engine.RoundControl;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.net.Credentials;
import dev.elasticrun.worker.internal.net.SocketNetwork;
import dev.elasticrun.worker.internal.net.WaitLimits;
import dev.elasticrun.worker.internal.replay.ReplayLimits;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One worker: its channel, its data plane and the newest event. The channel thread writes {@code latest}; user threads
 * wait for it under {@code lock}.
 */
final class WorkerRuntime implements RoundControl, Closeable {
    private static final System.Logger LOGGER = System.getLogger(WorkerRuntime.class.getName());
    /** An event is signalled, a renewed lease is not. */
    private static final long DEADLINE_POLL_MILLIS = 10;

    private static final long PROGRESS_NANOS = 100_000_000L;

    private final ChannelLayout layout;
    private final Head head;
    private final UpChannel up;
    private final DataPlane plane;
    private final FileChannelReader reader;
    private final @Nullable LocalWorld localWorld;
    private final @Nullable ParentWatch parentWatch;
    private final Warmup warmup;
    private final Progress progress;
    private final Metrics metrics;
    private final OneLoop loop = new OneLoop();
    private final AtomicParts atomicParts = new AtomicParts();
    private final boolean isOneRound;
    private final boolean isEncrypted;
    private final List<Consumer<WorkerEvent>> listeners = new CopyOnWriteArrayList<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile @Nullable WorkerEvent latest;
    // Guarded by lock: what user threads were given.
    private long returnedSeq;
    private volatile long givenRound;
    private volatile boolean isReady;

    private volatile long progressNanos = System.nanoTime() - PROGRESS_NANOS;

    /** @param localWorld null = there is an agent */
    private WorkerRuntime(
            ChannelLayout layout, Head head, Map<String, String> environment, @Nullable LocalWorld localWorld)
            throws IOException {
        this.layout = layout;
        this.localWorld = localWorld;
        this.parentWatch = localWorld == null ? new ParentWatch() : null;
        this.head = head;
        this.isOneRound = environment.containsKey(WorkerEnv.ROUND);
        this.isEncrypted = Boolean.parseBoolean(environment.get(WorkerEnv.TLS));
        boolean replacesWorkers = Boolean.parseBoolean(environment.get(WorkerEnv.REPLACES_WORKERS));
        this.plane = new DataPlane(
                new SocketNetwork(ListenPlace.of(environment)),
                this,
                new Exchanges(
                        Transport.parse(environment.getOrDefault(WorkerEnv.TRANSPORT, "auto")),
                        Optional.of(layout.channelDirectory())),
                WaitLimits.of(environment),
                replacesWorkers ? ReplayLimits.standard() : ReplayLimits.OFF,
                layout.checkpoints(),
                CheckpointOptions.of(environment));
        this.up = new UpChannel(localWorld == null ? layout.up() : null);
        this.progress = Progress.create(layout.heartbeat());
        this.metrics = new Metrics(layout.metrics());
        this.warmup = new Warmup(run -> Rehearsal.start(credentials(), run, layout.channelDirectory()));
        this.reader = new FileChannelReader(layout, head, new FileChannelReader.Sink() {
            @Override
            public void onEvent(WorkerEvent event) {
                WorkerRuntime.this.onEvent(event);
            }

            @Override
            public void onTick(long nowNanos) {
                if (parentWatch != null) {
                    parentWatch.tick(WorkerRuntime.this);
                }
                up.retry();
                progress.look(nowNanos, plane.queueThread());
                plane.tick(nowNanos);
                WorkerEvent event = latest;
                if (event != null) {
                    warmup.tick(event, isReady ? head.sealedRound() : 0, nowNanos);
                }
            }
        });
    }

    /** Without the variables of an agent the process is a world of one. */
    static WorkerRuntime start(Map<String, String> environment) {
        String directory = environment.get(WorkerEnv.CHANNEL_DIR);
        if (directory == null) {
            return startAlone();
        }
        try {
            return start(new ChannelLayout(Path.of(directory)), environment, null);
        } catch (IOException e) {
            throw new IllegalStateException(WorkerEnv.CHANNEL_DIR + ": " + directory + " is not a channel: " + e, e);
        }
    }

    private static WorkerRuntime startAlone() {
        LOGGER.log(
                System.Logger.Level.INFO,
                WorkerEnv.CHANNEL_DIR
                        + " is not set: this program was not started by elastic-run and is a world of one,"
                        + " rank 0 of 1. For more workers: elastic-run --standalone --nproc-per-node 2 -- PROGRAM ARGS");
        try {
            LocalWorld alone = LocalWorld.create();
            return start(alone.layout(), alone.environment(), alone);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the files of a world of one", e);
        }
    }

    private static WorkerRuntime start(
            ChannelLayout layout, Map<String, String> environment, @Nullable LocalWorld localWorld) throws IOException {
        WorkerRuntime runtime = new WorkerRuntime(layout, Head.open(layout.head()), environment, localWorld);
        runtime.reader.start();
        return runtime;
    }

    /** A world of one ends with its loop. */
    void loopEnded(boolean isDone) {
        loop.end(isDone);
        if (isOver()) {
            close();
        }
    }

    /** Whether this is a world of one whose loop is done, and which is closed: the program may begin another one. */
    boolean isOver() {
        return localWorld != null && loop.isDone();
    }

    /** Under a soft policy: opens the listener, prepares for rounds and notifies the agent, once. */
    void ready() {
        if (isOneRound || isReady) {
            return;
        }
        WorkerEvent first = await(event -> true);
        int port = listen(0, first.incarnation());
        if (head.sealedRound() > 0) {
            warmup.now(first.incarnation());
            meet(head.sealedRound());
        }
        lock.lock();
        try {
            if (!isReady) {
                up.send(new UpMessage.Ready(port));
                isReady = true;
            }
        } finally {
            lock.unlock();
        }
    }

    // Calls the workers of a round without this one. A failure is ignored: their addresses may not be known here, or
    // they may be gone.
    private void meet(long round) {
        try {
            plane.meet(PeerTable.decode(Files.readAllBytes(layout.peers(round))));
        } catch (IOException | IllegalArgumentException e) {
            LOGGER.log(
                    System.Logger.Level.DEBUG, "round " + round + " goes on with workers that are not known here", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    WorkerEvent event() {
        return await(event -> true);
    }

    /** The newest open round; repeated calls return it again. */
    WorkerInfo info() {
        return work(event -> true);
    }

    /** A round after that one, or that one opened again by an event that was not returned yet. */
    WorkerInfo awaitWork(long afterRound) {
        return work(event -> event.round() > afterRound || (event.round() == afterRound && event.seq() > returnedSeq));
    }

    /** Waits for a round and joins it. A round can be joined once. */
    Collective join() {
        ready();
        WorkerEvent work = await(event -> isWork(event));
        lock.lock();
        try {
            given(work);
        } finally {
            lock.unlock();
        }
        PeerTable table = peers(work);
        WorkerInfo info = Objects.requireNonNull(work.workerInfo());
        if (isOneRound && info.worldSize() > 1) {
            listen(table.peers().get(info.rank()).port(), work.incarnation());
        }
        Collective collective = new Collective(plane.join(work, table));
        // The first step of a round is reported at once: it shows how many steps were lost.
        progressNanos = System.nanoTime() - PROGRESS_NANOS;
        if (!isOneRound) {
            warmup.began(info.localWorldSize(), System.nanoTime());
        }
        return collective;
    }

    /** Number of the WORK event that the collective joined last works by; user thread. */
    long workSeq() {
        return plane.workSeq();
    }

    AtomicParts atomicParts() {
        return atomicParts;
    }

    OneLoop loop() {
        return loop;
    }

    Progress progress() {
        return progress;
    }

    Metrics metrics() {
        return metrics;
    }

    @Override
    public void committed(long version) {
        progress.committed(version);
    }

    void progress(long step, long total) {
        progress.beat(step, total);
        long now = System.nanoTime();
        if (now - progressNanos < PROGRESS_NANOS && step != total) {
            return;
        }
        lock.lock();
        try {
            if (now - progressNanos < PROGRESS_NANOS && step != total) {
                return;
            }
            progressNanos = now;
        } finally {
            lock.unlock();
        }
        up.send(new UpMessage.Progress(step, total, plane.version()));
    }

    /** No system call. */
    boolean isPaused() {
        return isClosed() && !atomicParts.isHeld();
    }

    private boolean isClosed() {
        WorkerEvent event = newerThanHead();
        WorkerState state = event == null ? head.state() : event.workerState();
        return state != WorkerState.HEALTHY || System.nanoTime() > head.leaseDeadlineNanos();
    }

    /** No system call. */
    boolean isChanged(long round) {
        WorkerEvent event = newerThanHead();
        return ((event == null ? head.round() : event.round()) != round || isClosed()) && !atomicParts.isHeld();
    }

    /** The agent names an event in the head after it wrote the event: the reader can be faster. */
    private @Nullable WorkerEvent newerThanHead() {
        WorkerEvent event = latest;
        return event != null && event.seq() > head.seq() ? event : null;
    }

    void addListener(Consumer<WorkerEvent> listener) {
        listeners.add(listener);
    }

    long round() {
        WorkerEvent event = latest;
        return event == null ? 0 : event.round();
    }

    /** The round that a user thread was given last; 0 = none yet. */
    long givenRound() {
        return givenRound;
    }

    @Override
    public boolean isOpen(long seq) {
        WorkerEvent event = latest;
        return head.seq() <= seq
                && System.nanoTime() <= head.leaseDeadlineNanos()
                && (event == null || event.seq() <= seq);
    }

    @Override
    public boolean awaitOpen(long seq) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!isOpen(seq)) {
                if (latestSeq() > seq) {
                    return false;
                }
                changed.await(DEADLINE_POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public WorkerEvent awaitNewer(long seq) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (latestSeq() <= seq) {
                changed.await();
            }
            return Objects.requireNonNull(latest);
        } finally {
            lock.unlock();
        }
    }

    boolean isNewerThan(long seq) {
        return latestSeq() > seq;
    }

    /** Whether there is an event newer than that, after a while; false also if the thread is interrupted. */
    boolean awaitNewer(long seq, Duration limit) {
        lock.lock();
        try {
            long left = TimeUnit.NANOSECONDS.convert(limit);
            while (latestSeq() <= seq && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return isNewerThan(seq);
    }

    @Override
    public WorkerEvent awaitNewerWork(long seq) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            WorkerEvent work = awaitInterruptibly(event -> event.seq() > seq && isWork(event));
            given(work);
            warmup.spare();
            return work;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void report(UpMessage message) {
        up.send(message);
    }

    /** The process was terminated, or ends by itself: peers are notified at once, atomic parts end first. */
    void shutDown() {
        close();
        atomicParts.awaitNone();
    }

    @Override
    public void close() {
        reader.close();
        plane.close();
        up.retry();
        if (localWorld != null) {
            localWorld.delete();
        }
    }

    private void onEvent(WorkerEvent event) {
        if (event.workerState() == WorkerState.PAUSED) {
            plane.closeRounds(event.seq());
            up.send(new UpMessage.Ack(event.seq(), plane.version(), System.nanoTime()));
        } else {
            plane.closeRounds(event.seq() - 1);
        }
        lock.lock();
        try {
            latest = event;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        for (Consumer<WorkerEvent> listener : listeners) {
            try {
                listener.accept(event);
            } catch (RuntimeException e) {
                LOGGER.log(System.Logger.Level.WARNING, "a listener failed", e);
            }
        }
    }

    private WorkerInfo work(Predicate<WorkerEvent> wanted) {
        ready();
        lock.lock();
        try {
            WorkerEvent work = await(event -> isWork(event) && wanted.test(event));
            given(work);
            return Objects.requireNonNull(work.workerInfo());
        } finally {
            lock.unlock();
        }
    }

    /** A user thread is given that round. Caller holds the lock. */
    private void given(WorkerEvent work) {
        returnedSeq = work.seq();
        givenRound = work.round();
    }

    private boolean isWork(WorkerEvent event) {
        return event.workerState() == WorkerState.HEALTHY && isOpen(event.seq());
    }

    /** Caller holds the lock. */
    private WorkerEvent awaitInterruptibly(Predicate<WorkerEvent> wanted) throws InterruptedException {
        while (true) {
            WorkerEvent event = latest;
            if (event != null && wanted.test(event)) {
                return event;
            }
            changed.await(DEADLINE_POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private WorkerEvent await(Predicate<WorkerEvent> wanted) {
        lock.lock();
        try {
            return awaitInterruptibly(wanted);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for the agent");
        } finally {
            lock.unlock();
        }
    }

    private long latestSeq() {
        WorkerEvent event = latest;
        return event == null ? 0 : event.seq();
    }

    private int listen(int port, String incarnation) {
        try {
            return plane.listen(port, credentials(), incarnation);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Credentials credentials() {
        try {
            return new Credentials(
                    Files.readAllBytes(layout.key()),
                    isEncrypted ? Optional.of(TlsFiles.in(layout.tls()).read().context()) : Optional.empty());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public PeerTable peers(WorkerEvent work) {
        Path file = layout.peers(work.round());
        try {
            return PeerTable.decode(Files.readAllBytes(file));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalStateException("cannot join round " + work.round() + ": " + file + ": " + e, e);
        }
    }
}
