/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.contract.WorkerState;
import dev.elasticrun.worker.internal.checkpoint.CheckpointOptions;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.net.Credentials;
import dev.elasticrun.worker.internal.net.Network;
import dev.elasticrun.worker.internal.net.SocketNetwork;
import dev.elasticrun.worker.internal.net.WaitLimits;
import dev.elasticrun.worker.internal.replay.ReplayLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One worker process, as far as its peers can detect: a data plane with its own channel. */
public final class TestWorker implements AutoCloseable {
    public static final byte[] KEY = "secret".getBytes(StandardCharsets.US_ASCII);
    /** No test waits for longer. */
    static final WaitLimits WAITS = waits(Duration.ofSeconds(20));

    public static final String INCARNATION = "i1";

    public final FakeControl control = new FakeControl();
    public final DataPlane plane;
    public final int port;
    /** Those of one node share memory; empty = a node of its own, over TCP. */
    final Optional<String> node;

    private long seq;

    public TestWorker(Path checkpoints) {
        this(checkpoints, KEY, WAITS);
    }

    public TestWorker(Path checkpoints, byte[] key, WaitLimits waits) {
        this(new SocketNetwork(ListenPlace.LOOPBACK), checkpoints, key, waits, ReplayLimits.OFF);
    }

    public TestWorker(Network network, Path checkpoints) {
        this(network, checkpoints, KEY, WAITS, ReplayLimits.OFF);
    }

    /** Keeps results for a worker that takes another's place. */
    public TestWorker(Path checkpoints, ReplayLimits limits) {
        this(new SocketNetwork(ListenPlace.LOOPBACK), checkpoints, KEY, WAITS, limits);
    }

    public TestWorker(Path checkpoints, WaitLimits waits, ReplayLimits limits) {
        this(new SocketNetwork(ListenPlace.LOOPBACK), checkpoints, KEY, waits, limits);
    }

    private TestWorker(Network network, Path checkpoints, byte[] key, WaitLimits waits, ReplayLimits limits) {
        this(
                Optional.empty(),
                network,
                checkpoints,
                new Exchanges(Transport.TCP, Optional.empty()),
                key,
                waits,
                limits);
    }

    private TestWorker(
            Optional<String> node,
            Network network,
            Path checkpoints,
            Exchanges exchanges,
            byte[] key,
            WaitLimits waits,
            ReplayLimits limits) {
        this.node = node;
        plane = new DataPlane(network, control, exchanges, waits, limits, checkpoints, CheckpointOptions.STANDARD);
        port = open(plane, key);
    }

    /** Keeps checkpoints otherwise. */
    public TestWorker(Path checkpoints, CheckpointOptions options) {
        this(Optional.empty(), checkpoints, options);
    }

    /** One of several of a node, which talk over TCP. */
    static TestWorker ofNode(String node, Path checkpoints, CheckpointOptions options) {
        return new TestWorker(Optional.of(node), checkpoints, options);
    }

    private TestWorker(Optional<String> node, Path checkpoints, CheckpointOptions options) {
        this.node = node;
        plane = new DataPlane(
                new SocketNetwork(ListenPlace.LOOPBACK),
                control,
                new Exchanges(Transport.TCP, Optional.empty()),
                WAITS,
                ReplayLimits.OFF,
                checkpoints,
                options);
        port = open(plane, KEY);
    }

    private static int open(DataPlane plane, byte[] key) {
        try {
            return plane.listen(0, Credentials.of(key), INCARNATION);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Shares memory with others of its kind; the directory is its own, and made if there is none. */
    static TestWorker sharing(String node, Transport transport, Path directory, WaitLimits waits, ReplayLimits limits) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new TestWorker(
                Optional.of(node),
                new SocketNetwork(ListenPlace.LOOPBACK),
                directory.resolve("checkpoint"),
                new Exchanges(transport, Optional.of(directory)),
                KEY,
                waits,
                limits);
    }

    /** With operations that wait as long as they need. */
    public static WaitLimits waits(Duration peer) {
        return new WaitLimits(peer, Duration.ZERO);
    }

    /** A round that begins a world. */
    public Collective join(PeerTable table, int rank) {
        return join(table, rank, rank, 0);
    }

    public Collective join(PeerTable table, int rank, int localRank, long highestVersion) {
        return new Collective(plane.join(work(table, table.round(), rank, localRank, highestVersion), table));
    }

    /** A round of a world that began earlier. */
    public Collective join(PeerTable table, long world, int rank) {
        return new Collective(plane.join(work(table, world, rank, rank, 0), table));
    }

    /** The next round of a world, for a call that goes on in it: as the channel thread does it. */
    WorkerEvent work(PeerTable table, long world, int rank) {
        return work(table, world, rank, rank, 0);
    }

    WorkerEvent work(PeerTable table, long world, int rank, int localRank, long highestVersion) {
        WorkerInfo.Place place = new WorkerInfo.Place(rank, table.peers().size());
        WorkerInfo info = new WorkerInfo(
                table.round(),
                world,
                new WorkerInfo.Ranks(
                        new WorkerInfo.Place(localRank, localRank + 1), place, place, new WorkerInfo.Place(0, 1)),
                "default",
                new WorkerInfo.Master("127.0.0.1", 1),
                Map.of());
        WorkerEvent work = event(table.round(), world, null, info, highestVersion);
        plane.closeRounds(work.seq() - 1);
        control.publish(table);
        control.publish(work);
        return work;
    }

    /** One worker is replaced, and the world stays. */
    void pauseToReplace(long round) {
        pause(round, PauseKind.REPLACE);
    }

    public void pause(long round) {
        pause(round, PauseKind.CHANGE);
    }

    /** As the channel thread does it: the sockets first. */
    private void pause(long round, PauseKind kind) {
        WorkerEvent pause = event(round, round, kind, null, 0);
        plane.closeRounds(pause.seq());
        control.publish(pause);
    }

    /** As the end of the process looks to the peers. */
    @Override
    public void close() {
        plane.close();
    }

    private synchronized WorkerEvent event(
            long round, long world, @Nullable PauseKind pause, @Nullable WorkerInfo info, long highestVersion) {
        seq++;
        return event(seq, round, world, pause, info, highestVersion);
    }

    /** @param pause null = WORK */
    static WorkerEvent event(
            long seq,
            long round,
            long world,
            @Nullable PauseKind pause,
            @Nullable WorkerInfo info,
            long highestVersion) {
        return new WorkerEvent(
                seq,
                Instant.EPOCH,
                new WorkerEvent.RoundId("run", INCARNATION, round, world),
                new WorkerEvent.Change(pause == null ? WorkerState.HEALTHY : WorkerState.PAUSED, null, pause, "test"),
                info,
                highestVersion);
    }
}
