/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.CollectiveTimeoutException;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.contract.WorkerState;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import dev.elasticrun.worker.internal.net.Credentials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One worker process of a property test: a program on a thread, and a death that may come at any use of a wire. */
final class PropertyMember {
    private final PropertyFleet fleet;
    private final int place;
    private final int life;
    private final int deadlyUse;
    private final FakeControl control;
    private final DataPlane plane;
    private final int port;
    private final Thread thread;
    private final AtomicInteger uses = new AtomicInteger();
    private final CountDownLatch silenceIsOver = new CountDownLatch(1);
    private long seq;
    private volatile long round;
    private volatile boolean isSilent;
    private volatile boolean isDying;
    private volatile boolean isDone;
    private volatile @Nullable Throwable failure;

    /** The process is gone: nothing after this line of the program runs. */
    private static final class Died extends Error {
        private static final long serialVersionUID = 1;

        Died() {
            super("died", null, false, false);
        }
    }

    /** @param files what an earlier process of its place left is there */
    PropertyMember(PropertyFleet fleet, int place, int life, Path files) {
        this.fleet = fleet;
        this.place = place;
        this.life = life;
        this.deadlyUse = fleet.schedule().deaths().stream()
                .filter(death -> death.wireUse() > 0 && death.rank() == place && death.life() == life)
                .mapToInt(death -> fleet.fabric().wireUse(death.wireUse()))
                .findFirst()
                .orElse(0);
        this.control = new FakeControl(this::onReport);
        PropertyFabric fabric = fleet.fabric();
        try {
            this.plane = new DataPlane(
                    fabric.network().apply(this::onWire),
                    control,
                    new Exchanges(fabric.transport(), fabric.workerDirectory()),
                    PropertyFleet.WAITS,
                    fleet.schedule().limits(),
                    files,
                    fabric.options());
            this.port = plane.listen(0, Credentials.of(TestWorker.KEY), TestWorker.INCARNATION);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        this.thread = new Thread(this::run, "member-" + place + "/" + life);
    }

    int place() {
        return place;
    }

    int life() {
        return life;
    }

    int port() {
        return port;
    }

    Thread thread() {
        return thread;
    }

    /** The newest that it knew of. */
    long round() {
        return round;
    }

    boolean isDying() {
        return isDying;
    }

    /** Makes no call, and is in the middle of none. */
    boolean isSilent() {
        return isSilent;
    }

    boolean isDone() {
        return isDone;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    void start() {
        thread.setDaemon(true);
        thread.start();
    }

    /** As the channel thread does it: the sockets first. */
    void pause(long round, long world, PauseKind kind) {
        WorkerEvent event = event(round, world, kind, null);
        plane.closeRounds(event.seq());
        control.publish(event);
    }

    void work(PeerTable table, long world, int rank) {
        control.publish(table);
        work(table.round(), world, rank, table.peers().size());
    }

    private void work(long round, long world, int rank, int size) {
        // Not local rank 0, which would write global states to files, too.
        WorkerInfo.Place place = new WorkerInfo.Place(rank, size);
        WorkerInfo info = new WorkerInfo(
                round,
                world,
                new WorkerInfo.Ranks(new WorkerInfo.Place(1, 2), place, place, place),
                "default",
                new WorkerInfo.Master("127.0.0.1", 1),
                Map.of());
        control.publish(event(round, world, null, info));
    }

    /** The clock of the channel thread is ahead: whoever waits has waited for too long. */
    void tickAhead() {
        plane.tick(System.nanoTime() + PropertyFleet.WAITS.operation().toNanos());
    }

    /** Its program makes its next call, or ends. */
    void endSilence(boolean isKilled) {
        isDying |= isKilled;
        isSilent = false;
        silenceIsOver.countDown();
    }

    /** Ends what is left of the process. */
    void bury() {
        plane.close();
        control.end();
        silenceIsOver.countDown();
        thread.interrupt();
    }

    private void run() {
        PropertyProgram program = new PropertyProgram(fleet.schedule(), fleet.reference(), fleet::keepsAllLocals);
        ThreadListener.set(this::onInstant);
        try {
            long joined = 0;
            while (!isDone) {
                WorkerEvent work = control.awaitNewer(joined);
                joined = work.seq();
                round = work.round();
                if (work.workerState() == WorkerState.HEALTHY) {
                    isDone = isFinished(program, work);
                }
            }
        } catch (CollectiveTimeoutException e) {
            giveUp(e);
        } catch (Throwable e) {
            if (!isDying) {
                failure = e;
            }
        } finally {
            fleet.onNews();
        }
    }

    /** The program fails, as it should. */
    private void giveUp(CollectiveTimeoutException e) {
        boolean isRight = fleet.hasBeenSilent()
                && !e.ranks().isEmpty()
                && e.waited().compareTo(PropertyFleet.WAITS.operation()) > 0;
        if (isRight) {
            isDying = true;
            fleet.onGivenUp();
        } else if (!isDying) {
            failure = e;
        }
    }

    private boolean isFinished(PropertyProgram program, WorkerEvent work) {
        Collective collective;
        try {
            collective = new Collective(plane.join(work, control.peers(work)));
        } catch (WorldChangedException e) {
            return false;
        }
        try {
            program.run(collective);
            round = collective.round();
            return true;
        } catch (WorldChangedException e) {
            if (fleet.schedule().keepsAll() && e.event().world() == work.world()) {
                throw new AssertionError("interrupted although the world stays", e);
            }
            return false;
        }
    }

    private void onInstant(FaultInjector.Instant instant, int rank, long version, long at) {
        boolean isDeadly =
                fleet.schedule().deaths().stream().anyMatch(death -> death.isAt(instant, rank, version, at, life));
        if (!isDeadly && !isDying && fleet.isSilent(instant, rank, version, at)) {
            isSilent = true;
            fleet.onNews();
            awaitEndOfSilence();
        }
        if (isDeadly || isDying) {
            isDying = true;
            throw new Died();
        }
    }

    private void awaitEndOfSilence() {
        try {
            silenceIsOver.await();
        } catch (InterruptedException e) {
            isDying = true;
        }
    }

    private void onWire() throws IOException {
        if (isDying || uses.incrementAndGet() == deadlyUse) {
            isDying = true;
            fleet.onNews();
            throw new IOException("died");
        }
    }

    private void onReport(UpMessage message) {
        if (message instanceof UpMessage.PeerLost lost && !isDying) {
            fleet.onLost(lost.round());
        }
    }

    private WorkerEvent event(long round, long world, @Nullable PauseKind pause, @Nullable WorkerInfo info) {
        seq++;
        return TestWorker.event(seq, round, world, pause, info, 0);
    }

    @Override
    public String toString() {
        return "worker " + place + "/" + life
                + (isDying ? " (dead)" : isDone ? " (done)" : isSilent ? " (stands still)" : "")
                + (failure == null ? "" : " failed: " + failure);
    }
}
