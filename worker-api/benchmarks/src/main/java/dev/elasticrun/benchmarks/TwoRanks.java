/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.benchmarks;

import dev.elasticrun.worker.Collective;
import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.internal.checkpoint.CheckpointOptions;
import dev.elasticrun.worker.internal.engine.DataPlane;
import dev.elasticrun.worker.internal.engine.Exchanges;
import dev.elasticrun.worker.internal.engine.SteadyRound;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A round of two workers of one node without an agent: the caller is the first, a thread of its own the second. */
final class TwoRanks implements Closeable {
    private static final String INCARNATION = "benchmark";

    private final Path directory;
    private final List<DataPlane> planes = new ArrayList<>();
    private final PeerTable table;
    private volatile boolean isClosed;

    private TwoRanks(Path directory, Transport transport) throws IOException {
        this.directory = directory;
        List<PeerTable.Peer> peers = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            DataPlane plane = new DataPlane(
                    new SocketNetwork(ListenPlace.LOOPBACK),
                    new SteadyRound.Control(),
                    new Exchanges(transport, Optional.of(Files.createDirectory(directory.resolve("rank" + rank)))),
                    WaitLimits.STANDARD,
                    ReplayLimits.OFF,
                    directory.resolve("checkpoints"),
                    CheckpointOptions.STANDARD);
            planes.add(plane);
            int port = plane.listen(0, Credentials.of(new byte[] {1, 2, 3}), INCARNATION);
            peers.add(new PeerTable.Peer(rank, "node", "127.0.0.1", port));
        }
        this.table = new PeerTable(1, peers);
    }

    static TwoRanks join(String transport) throws IOException {
        return new TwoRanks(Files.createTempDirectory("two-ranks-"), Transport.valueOf(transport));
    }

    /**
     * Blocks until both have joined.
     *
     * @param program what the second rank repeats until this is closed
     * @return the collective of the first rank, for the calling thread
     */
    Collective first(Consumer<Collective> program) {
        CompletableFuture.runAsync(() -> repeat(program), task -> Daemons.start("second-rank", task));
        return collective(0);
    }

    private void repeat(Consumer<Collective> program) {
        Collective second = collective(1);
        while (!isClosed) {
            program.accept(second);
        }
    }

    private Collective collective(int rank) {
        // Not local rank 0, which writes files.
        return new Collective(planes.get(rank).join(SteadyRound.work(INCARNATION, 1, 1, rank, 2), table));
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        planes.forEach(DataPlane::close);
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(TwoRanks::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
