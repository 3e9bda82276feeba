/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.contract.PeerTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one rank to all others in one round: it calls the lower ranks and is called by the higher ones.
 * The user thread forms and uses it; the channel thread may close it at any time, which frees the user thread.
 *
 * <p>Invariant under the lobby's monitor: a slot of {@code links} is filled once, with both statements exchanged.
 */
public final class PeerMesh {
    private static final long RETRY_NANOS = 1_000_000L;

    private final PeerTable table;
    private final int rank;
    private final byte[] statement;
    private final Consumer<byte[]> check;
    private final RejectionLog refusals;
    private final PeerLobby lobby;
    private final PeerDialer dialer;
    private final PeerWatch watch;
    private final AbortBroadcast abortBroadcast;
    private final @Nullable PeerLink[] links;
    private final byte[] @Nullable [] statements;
    private final Set<PeerLink> introducing = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;
    private volatile int lostRank = -1;
    private volatile @Nullable Overdue overdue;

    public PeerMesh(
            PeerTable table,
            int rank,
            byte[] statement,
            Consumer<byte[]> check,
            PeerLobby lobby,
            PeerDialer dialer,
            WaitLimits waits) {
        this.table = table;
        this.rank = rank;
        this.statement = statement;
        this.check = check;
        this.refusals = lobby.refusals();
        this.lobby = lobby;
        this.dialer = dialer;
        this.watch = new PeerWatch(dialer, table, waits, this::lost, System::nanoTime);
        this.abortBroadcast = new AbortBroadcast(this);
        this.links = new PeerLink[table.peers().size()];
        this.statements = new byte[table.peers().size()][];
        this.statements[rank] = statement;
    }

    public long round() {
        return table.round();
    }

    public int rank() {
        return rank;
    }

    public RejectionLog refusals() {
        return refusals;
    }

    public int size() {
        return links.length;
    }

    /** By rank: the node that it is on. */
    public List<String> nodes() {
        return table.peers().stream().map(PeerTable.Peer::nodeId).toList();
    }

    /** Blocks until all ranks are connected; throws when the mesh was closed meanwhile. */
    public void form() throws BrokenLinkException {
        lobby.enter(table.round(), rank);
        for (int peer = 0; peer < rank; peer++) {
            PeerTable.Peer address = table.peers().get(peer);
            Daemons.start("peer-dial-" + peer, () -> dial(address));
        }
        for (int caller = nextMissingCaller(); caller < size(); caller = nextMissingCaller()) {
            accept(caller);
        }
        awaitDialled();
    }

    /** What all ranks stated, by rank. */
    public List<byte[]> statements() {
        synchronized (lobby) {
            List<byte[]> all = new ArrayList<>();
            for (byte[] each : statements) {
                all.add(Objects.requireNonNull(each));
            }
            return all;
        }
    }

    public PeerLink link(int peer) throws BrokenLinkException {
        PeerLink link = links[peer];
        if (link == null) {
            throw new BrokenLinkException(peer, "not connected");
        }
        return link;
    }

    /** The rank whose silence closed the mesh; -1 = none. */
    public int lostRank() {
        return lostRank;
    }

    /** The wait that closed the mesh because it took too long. */
    public Optional<Overdue> overdue() {
        return Optional.ofNullable(overdue);
    }

    public boolean isClosed() {
        return isClosed;
    }

    public void close() {
        synchronized (lobby) {
            isClosed = true;
            for (PeerLink link : links) {
                if (link != null) {
                    link.close();
                }
            }
            introducing.forEach(PeerLink::close);
            lobby.notifyAll();
        }
        dialer.close();
    }

    /** Looks for peers that have been silent for too long. */
    public void tick(long nowNanos) {
        synchronized (lobby) {
            if (isClosed) {
                return;
            }
            Optional<Overdue> late = watch.overdue(links, rank, nowNanos);
            if (late.isPresent()) {
                overdue = late.get();
                close();
                return;
            }
            for (int peer = 0; peer < size(); peer++) {
                if (peer != rank) {
                    watch.look(peer, Optional.ofNullable(links[peer]), nowNanos);
                }
            }
        }
    }

    /** Notifies all peers why this rank stops. */
    public void abort(MismatchNotice notice) {
        abortBroadcast.abort(notice);
    }

    /** Waits for a peer's notice of ranks that differ, within a time; drops whatever else it has sent before. */
    public Optional<MismatchNotice> awaitNotice(int peer, long millis) {
        return abortBroadcast.awaitNotice(peer, millis);
    }

    /** Notifies all peers which rank this one has lost, before it closes its own links. */
    public void reportLost(int lost) {
        abortBroadcast.reportLost(lost);
    }

    private void lost(int peer) {
        synchronized (lobby) {
            if (!isClosed) {
                lostRank = peer;
            }
        }
        close();
    }

    private void dial(PeerTable.Peer peer) {
        while (!isClosed()) {
            try {
                introduce(new PeerLink(peer.rank(), size(), dialer.dial(peer)));
                return;
            } catch (IOException | IllegalArgumentException e) {
                // Closed, or the peer went away after it had taken the call: it will take another one.
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    /** Waits until the lowest missing caller, or any other, is there. Returns size() when none is missing. */
    private int nextMissingCaller() throws BrokenLinkException {
        synchronized (lobby) {
            for (int caller = rank + 1; caller < size(); caller++) {
                if (links[caller] == null) {
                    requireOpen(caller);
                    return caller;
                }
            }
            return size();
        }
    }

    private void accept(int caller) throws BrokenLinkException {
        Optional<HeldCall> call;
        synchronized (lobby) {
            call = lobby.poll(table.round(), caller, rank);
            while (call.isEmpty()) {
                await(caller);
                call = lobby.poll(table.round(), caller, rank);
            }
        }
        try {
            call.get().accept();
            introduce(new PeerLink(caller, size(), call.get().wire()));
        } catch (IOException | IllegalArgumentException e) {
            // It hung up while it waited; it calls again if it is still in the round.
            call.get().close();
        }
    }

    private void introduce(PeerLink link) throws BrokenLinkException {
        introducing.add(link);
        try {
            requireOpen(link.rank());
            byte[] theirs = link.swap(statement);
            check.accept(theirs);
            synchronized (lobby) {
                requireOpen(link.rank());
                statements[link.rank()] = theirs;
                links[link.rank()] = link;
                lobby.notifyAll();
            }
        } catch (BrokenLinkException e) {
            link.close();
            if (e.isMalformed()) {
                refusals.frame(e.toString());
            }
            throw e;
        } catch (IllegalArgumentException e) {
            link.close();
            refusals.frame("rank " + link.rank() + ": " + e.getMessage());
            throw e;
        } finally {
            introducing.remove(link);
        }
    }

    private void awaitDialled() throws BrokenLinkException {
        synchronized (lobby) {
            for (int peer = 0; peer < rank; peer++) {
                while (links[peer] == null) {
                    await(peer);
                }
            }
        }
    }

    /** Caller holds the lobby's monitor. */
    private void await(int peer) throws BrokenLinkException {
        requireOpen(peer);
        try {
            lobby.wait();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokenLinkException(peer, "interrupted");
        }
        requireOpen(peer);
    }

    private void requireOpen(int peer) throws BrokenLinkException {
        if (isClosed()) {
            throw new BrokenLinkException(peer, "round closed");
        }
    }
}
