/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.collective.CollectiveTimeoutException;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.internal.bootstrap.BootstrapTable;
import dev.elasticrun.worker.internal.checkpoint.NodeFiles;
import dev.elasticrun.worker.internal.exchange.Call;
import dev.elasticrun.worker.internal.exchange.Operation;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import dev.elasticrun.worker.internal.faults.FaultPoints;
import dev.elasticrun.worker.internal.replay.OperationLog;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs the program's calls one after the other, through all rounds of one world. When a round breaks and the next one
 * is of the same world, the waiting call continues in it: with the result that others have already, or by doing the
 * operation with all. Otherwise it throws, and so does every later call. For the user thread.
 */
public final class Engine {
    private final DataPlane plane;
    private final RoundControl control;
    private final CarriedState carriedState;
    private final NodeFiles files;
    private final OperationLog history;
    private final BootstrapTable bootstrap;
    private final Call call = new Call();
    private final CallSites sites = new CallSites();
    private volatile ActiveRound activeRound;
    private boolean isResumed;
    private boolean isBusy;
    private boolean isLeft;
    private @Nullable String site;
    private @Nullable RuntimeException failure;

    Engine(DataPlane plane, RoundControl control, CarriedState carriedState, NodeFiles files, ActiveRound activeRound) {
        this.plane = plane;
        this.control = control;
        this.carriedState = carriedState;
        this.files = files;
        this.history = carriedState.history();
        this.bootstrap = carriedState.bootstrap();
        this.activeRound = activeRound;
    }

    /** The round that this rank works in, or worked in last. */
    public ActiveRound activeRound() {
        return activeRound;
    }

    /** Where the program's calls come from while they are made by another thread; null = from where they are made. */
    public void site(@Nullable String newSite) {
        site = newSite;
    }

    /** Which thread does a queued operation; null = none does one. */
    public void queueThread(@Nullable Thread thread) {
        plane.queueThread(thread);
    }

    public CarriedState carriedState() {
        return carriedState;
    }

    public NodeFiles files() {
        return files;
    }

    RoundControl control() {
        return control;
    }

    String incarnation() {
        return activeRound.round().work().incarnation();
    }

    String callSite() {
        String known = site;
        return known == null ? sites.again() : known;
    }

    /** The next call, to be described and run. Throws if there can be none. */
    public Call begin() {
        if (isBusy) {
            throw new IllegalStateException("cannot call the collective from within a call: a prepare function fills"
                    + " values, and nothing else");
        }
        if (failure != null) {
            throw failure;
        }
        if (isLeft) {
            throw new IllegalStateException(
                    "cannot use the collective of round " + activeRound.info().round() + ": it was left");
        }
        return call.clear();
    }

    /** Blocks until the call's result is there. */
    public void run() {
        isBusy = true;
        try {
            call.operation().at(history.version(), history.seq());
            instant(FaultInjector.Instant.OPERATION);
            while (!isSettled() && !isDone()) {
                // The round was replaced: look again.
            }
        } catch (CollectiveMismatchException e) {
            failure = new MismatchInquiry(activeRound.round().mesh()).run(e, call.place(callSite()));
            throw failure;
        } finally {
            isBusy = false;
        }
    }

    /** As {@link #run}, and the collective cannot be used any more. */
    public void runLast() {
        run();
        isLeft = true;
        activeRound.round().closeOrdered();
    }

    public boolean isLeft() {
        return isLeft;
    }

    /** Another collective takes over: its rounds are not this one's. */
    void retire(WorkerEvent work) {
        if (failure == null && !isLeft) {
            failure = new WorldChangedException(activeRound.info().round(), work);
        }
    }

    void instant(FaultInjector.Instant instant) {
        FaultPoints.at(instant, activeRound.info().rank(), history.version(), history.seq());
    }

    /** A round that was replaced can have brought the result. */
    private boolean isSettled() {
        Operation operation = call.operation();
        if (operation.key() != 0) {
            return bootstrap.find(operation.key()).isPresent();
        }
        if (operation.kind() == Operation.Kind.CHECKPOINT && history.version() >= operation.count()) {
            return true;
        }
        if (!history.isRecovered()) {
            return false;
        }
        history.takeRecovered(call, activeRound.info().rank());
        return true;
    }

    private boolean isDone() {
        RoundSession round = activeRound.round();
        try {
            round.requireOpen();
            call.prepare();
            execute(activeRound);
        } catch (BrokenLinkException e) {
            recover(e);
            return false;
        }
        if (!isResumed) {
            isResumed = true;
            control.report(activeRound.resumed(System.nanoTime()));
        }
        return true;
    }

    private void execute(ActiveRound in) throws BrokenLinkException {
        Operation operation = call.operation();
        if (operation.key() == 0 && operation.kind() != Operation.Kind.CHECKPOINT) {
            history.execute(call, in.exchange(), in.info().rank());
        } else {
            call.execute(in.exchange());
        }
    }

    // Returns when this rank continues in a newer round of the same world.
    private void recover(BrokenLinkException cause) {
        ActiveRound last = activeRound;
        RoundSession broken = last.round();
        requireInTime(broken);
        if (!history.isKept()) {
            throw fail(broken.end(cause));
        }
        BrokenLinkException reason = cause;
        while (true) {
            broken.settle(reason);
            WorkerEvent work = broken.awaitNewerWork();
            if (!isSameWorld(work, last)) {
                throw fail(new WorldChangedException(last.info().round(), work));
            }
            PeerTable table = control.peers(work);
            broken = plane.open(work, table);
            try {
                ActiveRound next = plane.start(broken, table);
                if (!next.goesOn()) {
                    plane.offer(next);
                    throw fail(new WorldChangedException(last.info().round(), work));
                }
                activeRound = next;
                isResumed = false;
                return;
            } catch (BrokenLinkException e) {
                requireInTime(broken);
                reason = e;
            }
        }
    }

    private void requireInTime(RoundSession broken) {
        try {
            broken.requireInTime(
                    () -> call.operation().describe() + " as "
                            + call.operation().place(),
                    this::callSite);
        } catch (CollectiveTimeoutException e) {
            throw fail(e);
        }
    }

    private static boolean isSameWorld(WorkerEvent work, ActiveRound last) {
        return work.world() == last.info().world()
                && Objects.requireNonNull(work.workerInfo()).rank()
                        == last.info().rank();
    }

    private RuntimeException fail(RuntimeException e) {
        failure = e;
        return e;
    }
}
