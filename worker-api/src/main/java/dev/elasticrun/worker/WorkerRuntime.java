/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.ChannelLayout;
import dev.elasticrun.worker.contract.Head;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.ResultFile;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One worker: its channel, its data plane and the newest event. */
final class WorkerRuntime implements RoundControl, Closeable {
    private static final System.Logger LOGGER = System.getLogger(WorkerRuntime.class.getName());
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
    private final Loops loops = new Loops();
    private final AtomicParts atomicParts = new AtomicParts();
    private final boolean isOneRound;
    private final boolean isEncrypted;
    private final List<Consumer<WorkerEvent>> listeners = new CopyOnWriteArrayList<>();

    private final NewestEvent newest;
    // Guarded by this for writes.
    private volatile boolean isReady;
    private volatile boolean isOver;

    private volatile long progressNanos = System.nanoTime() - PROGRESS_NANOS;

    /** @param localWorld null = there is an agent */
    private WorkerRuntime(
            ChannelLayout layout, Head head, Map<String, String> environment, @Nullable LocalWorld localWorld)
            throws IOException {
        this.layout = layout;
        this.localWorld = localWorld;
        this.parentWatch = localWorld == null ? new ParentWatch() : null;
        this.head = head;
        this.newest = new NewestEvent(head);
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
        this.warmup = new Warmup(
                run -> Rehearsal.start(new RehearsedWorld(credentials(), run), layout.channelDirectory()),
                run -> Practice.start(
                        new RehearsedWorld(credentials(), run), layout.channelDirectory(), newest::isClosed));
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
                WorkerEvent event = newest.get();
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

    /** A world of one ends with its loops. */
    void loopEnded(ElasticState state, boolean isDone) {
        loops.end(isDone);
        if (isDone && !state.isAcrossLoops()) {
            endLocalWorld();
        }
    }

    /** A loop with this state is to begin: a world of one whose loops had another state ends. */
    void beforeLoop(ElasticState state) {
        if (loops.areOver(state)) {
            endLocalWorld();
        }
    }

    private void endLocalWorld() {
        if (localWorld != null && !isOver) {
            isOver = true;
            close();
        }
    }

    /** Whether this is a world of one whose loops are done, and which is closed: the program may begin another one. */
    boolean isOver() {
        return isOver;
    }

    /** Under a soft policy: opens the listener, prepares for rounds and notifies the agent, once. */
    void ready() {
        if (isOneRound || isReady) {
            return;
        }
        WorkerEvent first = newest.await();
        int port = listen(0, first.incarnation());
        if (head.sealedRound() > 0) {
            warmup.now(first.incarnation());
            meet(head.sealedRound());
        }
        synchronized (this) {
            if (!isReady) {
                up.send(new UpMessage.Ready(port));
                isReady = true;
            }
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
        return newest.await();
    }

    /** The newest open round; repeated calls return it again. */
    WorkerInfo info() {
        ready();
        return Objects.requireNonNull(newest.awaitWork().workerInfo());
    }

    /** A round after that one, or that one opened again by an event that was not returned yet. */
    WorkerInfo awaitWork(long afterRound) {
        ready();
        return Objects.requireNonNull(newest.awaitWork(afterRound).workerInfo());
    }

    /** Waits for a round and joins it. A round can be joined once. */
    Collective join() {
        ready();
        WorkerEvent work = newest.awaitWork();
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

    Loops loops() {
        return loops;
    }

    Progress progress() {
        return progress;
    }

    Metrics metrics() {
        return metrics;
    }

    /** Nobody launched a world of one. */
    synchronized void result(byte[] result) {
        if (localWorld == null) {
            try {
                ResultFile.write(layout.result(), result);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot hand over a result of " + result.length + " bytes", e);
            }
        }
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
        synchronized (this) {
            if (now - progressNanos < PROGRESS_NANOS && step != total) {
                return;
            }
            progressNanos = now;
        }
        up.send(new UpMessage.Progress(step, total, plane.version()));
    }

    /** No system call. */
    boolean isPaused() {
        return newest.isClosed() && !atomicParts.isHeld();
    }

    /** No system call. */
    boolean isChanged(long round) {
        return newest.isChanged(round) && !atomicParts.isHeld();
    }

    void addListener(Consumer<WorkerEvent> listener) {
        listeners.add(listener);
    }

    long round() {
        return newest.round();
    }

    /** The round that a user thread was given last; 0 = none yet. */
    long givenRound() {
        return newest.givenRound();
    }

    @Override
    public boolean isOpen(long seq) {
        return newest.isOpen(seq);
    }

    @Override
    public boolean awaitOpen(long seq) throws InterruptedException {
        return newest.awaitOpen(seq);
    }

    @Override
    public WorkerEvent awaitNewer(long seq) throws InterruptedException {
        return newest.awaitNewer(seq);
    }

    boolean isNewerThan(long seq) {
        return newest.seq() > seq;
    }

    /** Whether there is an event newer than that, after a while; false also if the thread is interrupted. */
    boolean awaitNewer(long seq, Duration limit) {
        return newest.awaitNewer(seq, limit);
    }

    @Override
    public WorkerEvent awaitNewerWork(long seq) throws InterruptedException {
        WorkerEvent work = newest.awaitNewerWork(seq);
        warmup.spare();
        return work;
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
        newest.put(event);
        for (Consumer<WorkerEvent> listener : listeners) {
            try {
                listener.accept(event);
            } catch (RuntimeException e) {
                LOGGER.log(System.Logger.Level.WARNING, "a listener failed", e);
            }
        }
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
