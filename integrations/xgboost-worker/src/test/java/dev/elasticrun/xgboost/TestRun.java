/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.DeathInOperation;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
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
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import ml.dmlc.xgboost4j.java.RabitTracker;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.jspecify.annotations.Nullable;

/**
 * A run without agents: each worker is a platform thread of this process, the test sets which round there is, and
 * XGBoost's own tracker serves it. XGBoost keeps its group with the thread, so several fit into a process.
 */
final class TestRun implements AutoCloseable {
    static final long LIMIT_SECONDS = 60;

    private static final String INCARNATION = "i1";
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Path directory;
    private final boolean replacesWorkers;
    private final CompletableFuture<String> stop = new CompletableFuture<>();
    private final List<Worker> all = new ArrayList<>();
    private final List<RabitTracker> trackers = new ArrayList<>();
    private final Map<Long, PeerTable> tables = new HashMap<>();
    private List<Worker> members = List.of();
    private long round;
    private long world;
    private boolean hasTracker = true;

    /** @param replacesWorkers as under a policy that puts a new process in a dead one's place */
    TestRun(Path directory, boolean replacesWorkers) {
        this.directory = directory;
        this.replacesWorkers = replacesWorkers;
    }

    /** As without the option for it. */
    void hasNoTracker() {
        hasTracker = false;
    }

    /** A worker that has not joined yet. */
    Worker worker(TrainingPlan plan) throws Exception {
        Worker worker = new Worker(plan);
        all.add(worker);
        return worker;
    }

    /** Another world: these workers, ranked as they are given. Those in the round before are paused first. */
    void open(List<Worker> workers) throws Exception {
        pause(PauseKind.CHANGE);
        round++;
        world = round;
        publish(workers);
    }

    /** The same world, in which other processes have the places of dead ones. */
    void replace(List<Worker> workers) throws Exception {
        pause(PauseKind.REPLACE);
        round++;
        publish(workers);
    }

    long round() {
        return round;
    }

    /** Why a worker has asked for the end of the run. */
    String awaitStop() throws Exception {
        return stop.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private void pause(PauseKind kind) {
        for (Worker worker : members) {
            if (!worker.isDead) {
                worker.pause(round, kind);
            }
        }
    }

    private void publish(List<Worker> workers) throws Exception {
        members = List.copyOf(workers);
        List<PeerTable.Peer> peers = new ArrayList<>();
        for (int rank = 0; rank < members.size(); rank++) {
            peers.add(new PeerTable.Peer(rank, members.get(rank).name, "127.0.0.1", members.get(rank).port));
        }
        synchronized (tables) {
            tables.put(round, new PeerTable(round, peers));
        }
        Map<String, String> runtime = hasTracker ? tracker() : Map.of();
        for (int rank = 0; rank < members.size(); rank++) {
            members.get(rank).work(rank, members.size(), runtime);
        }
    }

    private Map<String, String> tracker() throws XGBoostError {
        RabitTracker tracker = new RabitTracker(members.size(), "127.0.0.1", 0, (int) LIMIT_SECONDS);
        trackers.add(tracker);
        tracker.start();
        Map<String, Object> address = tracker.getWorkerArgs();
        return Map.of(
                "DMLC_TRACKER_URI", String.valueOf(address.get("dmlc_tracker_uri")),
                "DMLC_TRACKER_PORT", String.valueOf(address.get("dmlc_tracker_port")),
                "DMLC_NUM_WORKER", Integer.toString(members.size()));
    }

    @Override
    public void close() {
        all.forEach(Worker::die);
        for (Worker worker : all) {
            if (worker.isStarted) {
                worker.result
                        .handle((model, failure) -> "ended")
                        .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                        .join();
            }
        }
    }

    /** What {@code ElasticLoop} and the runtime are to a program, without a process around it. */
    final class Worker implements RoundControl, Host {
        final CompletableFuture<TrainedModel> result = new CompletableFuture<>();
        private final String name = "node" + NAMES.incrementAndGet();
        private final Trainer trainer;
        private final DataPlane plane;
        private final int port;
        private volatile boolean isDead;
        private volatile boolean diesInGroup;
        private volatile int endsAfter = Integer.MAX_VALUE;
        /** Rounds that were reported to the study, in the order of the calls. */
        private final List<Integer> reported = new CopyOnWriteArrayList<>();

        private boolean isStarted;
        private @Nullable WorkerEvent latest;
        private long seq;

        private Worker(TrainingPlan plan) throws IOException {
            trainer = new Trainer(plan, this);
            plane = new DataPlane(
                    new SocketNetwork(ListenPlace.LOOPBACK),
                    this,
                    new Exchanges(Transport.TCP, Optional.of(directory)),
                    new WaitLimits(Duration.ofSeconds(20), Duration.ZERO),
                    replacesWorkers ? ReplayLimits.standard() : ReplayLimits.OFF,
                    directory.resolve(name),
                    CheckpointOptions.STANDARD);
            port = plane.listen(0, Credentials.of(new byte[] {1, 2, 3}), INCARNATION);
        }

        void start() {
            Thread started = new Thread(this::run, name);
            started.setDaemon(true);
            isStarted = true;
            started.start();
        }

        /** The study ends the training once it has reported that round. */
        void endAfter(int rounds) {
            endsAfter = rounds;
        }

        List<Integer> reported() {
            return reported;
        }

        @Override
        public boolean goesOn(SortedMap<Integer, Map<String, Double>> metrics) {
            reported.addAll(metrics.keySet());
            return metrics.lastKey() < endsAfter;
        }

        /** The result, or what the program threw. */
        TrainedModel await() throws Exception {
            return result.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }

        /** It dies on its own thread, after so many instants of the collective in which it can. */
        void dieAfter(int instants) {
            DeathInOperation.plan(name, instants, this::dieHere);
        }

        /** It dies when all are ready, right before it asks for a place in XGBoost's group. */
        void dieBeforeTheGroup() {
            diesInGroup = true;
        }

        /** The end of the process, from within its program. */
        void dieHere() {
            die();
            throw new IllegalStateException("killed");
        }

        /** Whether it has died rather than come to its end. */
        boolean awaitDeath() throws Exception {
            return result.handle((model, failure) -> failure != null).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }

        /** As peers see the end of the process; the program ends by what this makes its calls throw. */
        void die() {
            synchronized (this) {
                isDead = true;
                notifyAll();
            }
            plane.close();
        }

        private void run() {
            try {
                trainer.prepare();
                boolean isDone = false;
                while (!isDone) {
                    try {
                        WorkerEvent work = awaitWork();
                        Collective collective = new Collective(plane.join(work, peers(work)));
                        trainer.state().sync(collective);
                        trainer.work(collective);
                        collective.close();
                        isDone = true;
                    } catch (WorldChangedException e) {
                        // Another round.
                    }
                }
                result.complete(trainer.model());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        }

        private synchronized WorkerEvent awaitWork() throws InterruptedException {
            while (latest == null || latest.workerState() != WorkerState.HEALTHY) {
                requireAlive();
                wait();
            }
            return latest;
        }

        private void pause(long pausedRound, PauseKind kind) {
            seq++;
            plane.closeRounds(seq);
            publish(event(pausedRound, pausedRound, kind, null));
        }

        private void work(int rank, int size, Map<String, String> runtime) {
            seq++;
            WorkerInfo.Place place = new WorkerInfo.Place(rank, size);
            WorkerInfo info = new WorkerInfo(
                    round,
                    world,
                    new WorkerInfo.Ranks(new WorkerInfo.Place(0, 1), place, place, place),
                    "default",
                    new WorkerInfo.Master("127.0.0.1", 1),
                    runtime);
            plane.closeRounds(seq - 1);
            publish(event(round, world, null, info));
        }

        private WorkerEvent event(long of, long in, @Nullable PauseKind pause, @Nullable WorkerInfo info) {
            WorkerState state = pause == null ? WorkerState.HEALTHY : WorkerState.PAUSED;
            return new WorkerEvent(
                    seq,
                    Instant.EPOCH,
                    new WorkerEvent.RoundId("run", INCARNATION, of, in),
                    new WorkerEvent.Change(state, null, pause, "test"),
                    info,
                    0);
        }

        private synchronized void publish(WorkerEvent event) {
            latest = event;
            notifyAll();
        }

        private synchronized void requireAlive() throws InterruptedException {
            if (isDead) {
                throw new InterruptedException("the process is gone");
            }
        }

        @Override
        public synchronized boolean isOpen(long of) {
            return !isDead && (latest == null || latest.seq() <= of);
        }

        @Override
        public synchronized boolean awaitOpen(long of) throws InterruptedException {
            while (!isOpen(of)) {
                if (latest != null && latest.seq() > of) {
                    return false;
                }
                requireAlive();
                wait();
            }
            return true;
        }

        @Override
        public synchronized WorkerEvent awaitNewer(long than) throws InterruptedException {
            while (latest == null || latest.seq() <= than) {
                requireAlive();
                wait();
            }
            return latest;
        }

        @Override
        public synchronized WorkerEvent awaitNewerWork(long than) throws InterruptedException {
            while (latest == null || latest.seq() <= than || latest.workerState() != WorkerState.HEALTHY) {
                requireAlive();
                wait();
            }
            return latest;
        }

        @Override
        public PeerTable peers(WorkerEvent work) {
            synchronized (tables) {
                return Objects.requireNonNull(tables.get(work.round()));
            }
        }

        @Override
        public void report(UpMessage message) {}

        @Override
        public void progress(long step, long total) {}

        @Override
        public Part section(String part) {
            return () -> {};
        }

        @Override
        public Part peerSection(String part, long round) {
            if (diesInGroup) {
                dieHere();
            }
            return () -> {};
        }

        @Override
        public RuntimeException stop(String message) {
            stop.complete(message);
            return new IllegalStateException(message);
        }
    }
}
