/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.CollectiveTimeoutException;
import dev.elasticrun.worker.collective.WorldChangedException;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.internal.checkpoint.CheckpointOptions;
import dev.elasticrun.worker.internal.checkpoint.CheckpointWriter;
import dev.elasticrun.worker.internal.checkpoint.ContentFiles;
import dev.elasticrun.worker.internal.checkpoint.NodeFiles;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.net.Acquaintance;
import dev.elasticrun.worker.internal.net.Credentials;
import dev.elasticrun.worker.internal.net.Handshake;
import dev.elasticrun.worker.internal.net.Network;
import dev.elasticrun.worker.internal.net.PeerDialer;
import dev.elasticrun.worker.internal.net.PeerListener;
import dev.elasticrun.worker.internal.net.PeerLobby;
import dev.elasticrun.worker.internal.net.PeerMesh;
import dev.elasticrun.worker.internal.net.WaitLimits;
import dev.elasticrun.worker.internal.replay.ReplayLimits;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * What a worker process keeps from round to round: its listener, the checkpoints it holds, and the round it is in. For
 * the runtime; programs use {@link Collective}. The user thread joins rounds, the channel thread closes them.
 */
public final class DataPlane implements Closeable {
    private static final Duration MEETING = Duration.ofSeconds(1);

    private final Network carrier;
    private final RoundControl control;
    private final CheckpointWriter writer = new CheckpointWriter();
    private final NodeFiles files;
    private final WaitLimits waits;
    private final PeerLobby lobby = new PeerLobby();
    private final CarriedState carriedState;
    // The user thread's.
    private @Nullable Engine engine;
    private @Nullable ActiveRound offered;
    private @Nullable RoundSession interrupted;
    private long joinedSeq;
    private final Exchanges exchanges;
    private volatile @Nullable Thread queueThread;
    // Guarded by this: the channel thread closes what the user thread opens.
    private Network network;
    private @Nullable PeerListener listener;
    private @Nullable Handshake handshake;
    private @Nullable RoundSession current;
    private long closedSeq;

    /** Shares no memory. */
    public DataPlane(
            Network network, RoundControl control, Path checkpoints, WaitLimits waits, ReplayLimits replayLimits) {
        this(
                network,
                control,
                new Exchanges(Transport.TCP, Optional.empty()),
                waits,
                replayLimits,
                checkpoints,
                CheckpointOptions.STANDARD);
    }

    /**
     * @param waits how long it waits for peers
     * @param replayLimits what is kept for a process that takes another worker's place
     * @param checkpoints directory of the node's checkpoint files
     * @param options how checkpoints are kept
     */
    public DataPlane(
            Network network,
            RoundControl control,
            Exchanges exchanges,
            WaitLimits waits,
            ReplayLimits replayLimits,
            Path checkpoints,
            CheckpointOptions options) {
        this.exchanges = exchanges;
        this.carrier = network;
        this.network = network;
        this.control = control;
        List<Path> directories = new ArrayList<>(List.of(checkpoints));
        options.disk().ifPresent(directories::add);
        this.files = new NodeFiles(directories, writer, options);
        this.carriedState =
                new CarriedState(replayLimits, options.redundancy().contentsOfOthers(), new ContentFiles(directories));
        this.waits = waits;
    }

    /** Opens the listener, once; later calls return the same port. Port 0 = any. */
    public synchronized int listen(int port, Credentials credentials, String incarnation) throws IOException {
        if (listener == null) {
            network = credentials.over(carrier);
            handshake = new Handshake(credentials.key(), incarnation);
            PeerListener opened = new PeerListener(network.listen(port), handshake, lobby);
            opened.start();
            listener = opened;
        }
        return listener.port();
    }

    /**
     * Calls those that work in a round without this worker, before they have to wait for it. Needs the listener; blocks
     * for a second at most. Without effect where connections are not encrypted.
     */
    public void meet(PeerTable others) throws InterruptedException {
        PeerDialer dialer;
        synchronized (this) {
            if (handshake == null || network == carrier) {
                return;
            }
            // Of no rank: it only probes whether they live.
            dialer = new PeerDialer(
                    network, handshake, others.round(), others.peers().size(), "");
        }
        Acquaintance.make(dialer, others.peers(), MEETING);
    }

    /**
     * Connects to all ranks of a round and brings this rank to the checkpoint that they agree on. Needs the listener,
     * unless the worker is alone. Throws {@link WorldChangedException} when the round ends first,
     * {@link CollectiveTimeoutException} when a peer does not come, and IllegalStateException if the round was joined already.
     */
    public Engine join(WorkerEvent work, PeerTable table) {
        ActiveRound waiting = offered;
        offered = null;
        boolean isWaiting = waiting != null && waiting.round().work().seq() == work.seq();
        if (!isWaiting && work.seq() <= joinedSeq) {
            if (interrupted != null && interrupted.work().seq() == work.seq()) {
                throw interrupted.endAgain();
            }
            throw new IllegalStateException("cannot join round " + work.round() + " twice");
        }
        if (engine != null) {
            engine.retire(work);
        }
        ActiveRound activeRound = isWaiting ? Objects.requireNonNull(waiting) : startAnew(work, table);
        Engine next = new Engine(this, control, carriedState, files, activeRound);
        engine = next;
        return next;
    }

    private ActiveRound startAnew(WorkerEvent work, PeerTable table) {
        carriedState.history().restart();
        RoundSession round = open(work, table);
        try {
            return start(round, table);
        } catch (BrokenLinkException e) {
            round.requireInTime(() -> "join", CallSites::caller);
            throw end(round, e);
        }
    }

    private WorldChangedException end(RoundSession round, BrokenLinkException cause) {
        try {
            return round.end(cause);
        } catch (CancellationException e) {
            interrupted = round;
            throw e;
        }
    }

    /**
     * Number of the WORK event that the collective joined last works by, or worked by last: a call can continue in a
     * newer round. 0 = none was joined. User thread.
     */
    public long workSeq() {
        return engine == null ? 0 : engine.activeRound().round().work().seq();
    }

    /** A round begins: from now on the channel thread can close it. */
    RoundSession open(WorkerEvent work, PeerTable table) {
        WorkerInfo info = Objects.requireNonNull(work.workerInfo(), "workerInfo");
        if (table.round() != work.round() || table.peers().size() != info.worldSize()) {
            throw new IllegalArgumentException("peers: " + table.peers().size() + " of round " + table.round()
                    + " (expected: " + info.worldSize() + " of round " + work.round() + ")");
        }
        joinedSeq = work.seq();
        carriedState
                .checkpointStore()
                .load(files, work.incarnation(), info.localRank(), info.localWorldSize(), work.highestVersion());
        carriedState.bootstrap().enter(work.world());
        return open(work, info, table);
    }

    /** Connects to all ranks, and brings them all to one place. */
    ActiveRound start(RoundSession round, PeerTable table) throws BrokenLinkException {
        return new RoundStart(carriedState, files, exchanges, control).run(round, table);
    }

    /**
     * Keeps a round that has started, in which the program must begin at the checkpoint, for the thread that joins it.
     */
    void offer(ActiveRound activeRound) {
        offered = activeRound;
    }

    /** Ends all rounds that began with event {@code seq} or an earlier one; when it returns nothing more is committed. */
    public synchronized void closeRounds(long seq) {
        closedSeq = Math.max(closedSeq, seq);
        if (current != null && current.work().seq() <= closedSeq) {
            current.closeOrdered();
            current = null;
        }
    }

    /** The newest checkpoint version that this process holds; 0 = none. */
    public long version() {
        return carriedState.checkpointStore().version();
    }

    /** Connections that were refused: strangers, and callers of rounds that are over. */
    public long refusedConnections() {
        return lobby.refusals().connections();
    }

    /** Frames that were refused: what they held is not of the protocol. */
    public long refusedFrames() {
        return lobby.refusals().frames();
    }

    /** The thread that does a queued operation at present. Any thread. */
    public Optional<Thread> queueThread() {
        return Optional.ofNullable(queueThread);
    }

    void queueThread(@Nullable Thread thread) {
        queueThread = thread;
    }

    boolean hasStaged() {
        return carriedState.checkpointStore().hasStaged();
    }

    /** Blocks until the files that are due are written. */
    public void awaitFiles() {
        writer.drain(10_000);
    }

    public CheckpointInventory inventory() {
        return carriedState.checkpointStore().inventory();
    }

    /** Several times a second, on the channel thread. */
    public void tick(long nowNanos) {
        RoundSession round;
        PeerListener open;
        synchronized (this) {
            round = current;
            open = listener;
        }
        if (round != null) {
            round.tick(nowNanos);
        }
        if (open != null) {
            open.tick(nowNanos);
        }
    }

    /** The process ends. Waits, for a while, until the files are written. */
    @Override
    public void close() {
        closeRounds(Long.MAX_VALUE);
        lobby.close();
        exchanges.close();
        PeerListener open;
        synchronized (this) {
            open = listener;
        }
        if (open != null) {
            open.close();
        }
        writer.close();
    }

    private synchronized RoundSession open(WorkerEvent work, WorkerInfo info, PeerTable table) {
        if (handshake == null) {
            if (info.worldSize() > 1) {
                throw new IllegalStateException("cannot join round " + work.round() + ": not listening");
            }
            handshake = new Handshake(new byte[] {0}, work.incarnation());
        }
        PeerDialer dialer = new PeerDialer(
                network,
                handshake,
                table.round(),
                info.rank(),
                table.peers().get(info.rank()).nodeId());
        PeerMesh mesh = new PeerMesh(
                table,
                info.rank(),
                carriedState.peerState().encode(),
                statement -> PeerState.decode(statement, work.incarnation()),
                lobby,
                dialer,
                waits);
        RoundSession round = new RoundSession(work, mesh, control);
        if (work.seq() <= closedSeq) {
            round.closeOrdered();
        } else {
            current = round;
        }
        return round;
    }
}
