/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.internal.net.Overdue;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/**
 * One WORK event that this worker joined, until it is closed: by the channel thread (PAUSE, or the lease deadline
 * passed), or by the user thread because a link broke.
 *
 * <p>Its monitor spans {@code isOrdered} and the commit of a checkpoint: what a PAUSE acknowledges stays the newest.
 */
final class RoundSession {
    private final WorkerEvent work;
    private final PeerMesh mesh;
    private final RoundControl control;
    private boolean isOrdered;
    private boolean isExpired;
    private boolean isInterrupted;

    RoundSession(WorkerEvent work, PeerMesh mesh, RoundControl control) {
        this.work = work;
        this.mesh = mesh;
        this.control = control;
    }

    WorkerEvent work() {
        return work;
    }

    PeerMesh mesh() {
        return mesh;
    }

    /** Closes on the agent's order, or because the process ends: links that break from now on are not reported. */
    void closeOrdered() {
        synchronized (this) {
            isOrdered = true;
        }
        mesh.close();
    }

    /** Watches the lease deadline and silent peers. Alone in the world there is nothing to close. */
    void tick(long nowNanos) {
        mesh.tick(nowNanos);
        if (mesh.size() == 1) {
            return;
        }
        boolean isOpen = control.isOpen(work.seq());
        boolean mustReport;
        synchronized (this) {
            mustReport = isExpired && isOpen;
            isExpired = !isOpen;
        }
        if (!isOpen) {
            closeOrdered();
        } else if (mustReport) {
            // Back within the lease, no new event, but the links are gone: only a new round can repair that.
            control.report(new UpMessage.PeerLost(work.round(), mesh.rank()));
        }
    }

    /** The last moment before an operation starts. */
    void requireOpen() throws BrokenLinkException {
        if (control.isOpen(work.seq())) {
            requireLinks();
            return;
        }
        if (mesh.size() > 1) {
            closeOrdered();
            throw new BrokenLinkException(mesh.rank(), "round closed");
        }
        try {
            if (!control.awaitOpen(work.seq())) {
                throw new BrokenLinkException(mesh.rank(), "round closed");
            }
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    // Handles the repetition of a call whose thread was interrupted. Peers that were done before may have left in
    // shared memory what looks like a new answer; and if all were interrupted, no rank misses another.
    private void requireLinks() throws BrokenLinkException {
        if (mesh.size() == 1 || !mesh.isClosed()) {
            return;
        }
        boolean mustReport;
        synchronized (this) {
            mustReport = isInterrupted;
            isInterrupted = false;
        }
        if (mustReport) {
            control.report(new UpMessage.PeerLost(work.round(), mesh.rank()));
        }
        throw new BrokenLinkException(mesh.rank(), "round closed");
    }

    void commit(Runnable commit) throws BrokenLinkException {
        synchronized (this) {
            if (isOrdered) {
                throw new BrokenLinkException(mesh.rank(), "round closed");
            }
            commit.run();
        }
    }

    /** Joining was interrupted, and is tried again: this rank needs another round. */
    WorldChangedException endAgain() {
        try {
            requireOpen();
            throw new IllegalStateException("cannot join round " + work.round() + " twice");
        } catch (BrokenLinkException e) {
            return end(e);
        }
    }

    /** Settles, and waits for what comes next. */
    WorldChangedException end(BrokenLinkException cause) {
        settle(cause);
        try {
            return new WorldChangedException(work.round(), control.awaitNewer(work.seq()));
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /**
     * Throws if the round broke because this rank has waited for too long. It reports no peer: this worker fails, and
     * the restart policy handles its failure.
     */
    void requireInTime(Supplier<String> what, Supplier<String> site) {
        Optional<Overdue> overdue = mesh.overdue();
        if (overdue.isPresent()) {
            closeOrdered();
            throw overdue.get().during(what.get(), site.get());
        }
    }

    /** Blocks until there is another event to work by. */
    WorkerEvent awaitNewerWork() {
        try {
            return control.awaitNewerWork(work.seq());
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Reports whose link broke, unless the round was closed by order, and closes it. */
    void settle(BrokenLinkException cause) {
        if (cause.isMalformed()) {
            mesh.refusals().frame(cause.toString());
        }
        boolean isBlamed;
        synchronized (this) {
            boolean isFirst = !isOrdered;
            isInterrupted |= isFirst && Thread.currentThread().isInterrupted();
            isBlamed = isFirst && !isInterrupted;
            isOrdered = true;
        }
        if (isBlamed) {
            int lost = mesh.lostRank() >= 0 ? mesh.lostRank() : cause.rank();
            mesh.reportLost(lost);
            mesh.close();
            control.report(new UpMessage.PeerLost(work.round(), lost));
        }
        mesh.close();
    }

    private CancellationException interrupted() {
        Thread.currentThread().interrupt();
        return new CancellationException("interrupted in round " + work.round());
    }
}
