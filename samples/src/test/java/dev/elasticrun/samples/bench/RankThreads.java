/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.internal.checkpoint.CheckpointOptions;
import dev.elasticrun.worker.internal.engine.DataPlane;
import dev.elasticrun.worker.internal.engine.Exchanges;
import dev.elasticrun.worker.internal.engine.SteadyRound;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.net.Credentials;
import dev.elasticrun.worker.internal.net.SocketNetwork;
import dev.elasticrun.worker.internal.net.WaitLimits;
import dev.elasticrun.worker.internal.replay.ReplayLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Workers without an agent, each a thread of this process, on nodes of their own. */
final class RankThreads implements AutoCloseable {
    private static final String INCARNATION = "bench";

    private final Path directory;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<DataPlane> planes = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final boolean writesFiles;
    private final CheckpointOptions options;
    private long round;

    interface Program<T> {
        T run(Collective collective) throws Exception;
    }

    /** @param writesFiles whether each is alone on its node, as whoever writes its files; else the second of two */
    RankThreads(Path directory, boolean writesFiles) {
        this(directory, writesFiles, CheckpointOptions.STANDARD);
    }

    RankThreads(Path directory, boolean writesFiles, CheckpointOptions options) {
        this.directory = directory;
        this.writesFiles = writesFiles;
        this.options = options;
    }

    void add() throws IOException {
        DataPlane plane = new DataPlane(
                new SocketNetwork(ListenPlace.LOOPBACK),
                new SteadyRound.Control(),
                new Exchanges(Transport.TCP, Optional.of(directory)),
                WaitLimits.STANDARD,
                ReplayLimits.OFF,
                directory.resolve("node" + planes.size()),
                options);
        planes.add(plane);
        ports.add(plane.listen(0, Credentials.of(new byte[] {1, 2, 3}), INCARNATION));
    }

    void removeLast() {
        planes.remove(planes.size() - 1).close();
        ports.remove(ports.size() - 1);
    }

    /** All end the round before, join a new one and run the program; results and milliseconds to join by rank. */
    <T> List<T> run(Program<T> program, List<Double> joinMillis) throws Exception {
        planes.forEach(plane -> plane.closeRounds(round));
        round++;
        List<PeerTable.Peer> peers = new ArrayList<>();
        for (int rank = 0; rank < planes.size(); rank++) {
            peers.add(new PeerTable.Peer(rank, "node" + rank, "127.0.0.1", ports.get(rank)));
        }
        PeerTable table = new PeerTable(round, peers);
        List<Future<T>> futures = new ArrayList<>();
        double[] millis = new double[planes.size()];
        for (int i = 0; i < planes.size(); i++) {
            int rank = i;
            futures.add(threads.submit(() -> {
                long start = System.nanoTime();
                Collective collective = new Collective(planes.get(rank).join(work(rank), table));
                millis[rank] = (System.nanoTime() - start) / 1e6;
                return program.run(collective);
            }));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) {
            try {
                results.add(future.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("a rank failed", e.getCause());
            }
        }
        for (double each : millis) {
            joinMillis.add(each);
        }
        return results;
    }

    private WorkerEvent work(int rank) {
        return SteadyRound.work(INCARNATION, round, writesFiles ? 0 : 1, rank, planes.size());
    }

    @Override
    public void close() {
        planes.forEach(DataPlane::close);
        threads.shutdownNow();
    }
}
