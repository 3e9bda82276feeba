/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.contract.ListenPlace;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.internal.checkpoint.CheckpointStore;
import dev.elasticrun.worker.internal.checkpoint.ContentFiles;
import dev.elasticrun.worker.internal.exchange.DirectExchange;
import dev.elasticrun.worker.internal.exchange.Exchange;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.net.Handshake;
import dev.elasticrun.worker.internal.net.PeerDialer;
import dev.elasticrun.worker.internal.net.PeerListener;
import dev.elasticrun.worker.internal.net.PeerLobby;
import dev.elasticrun.worker.internal.net.PeerMesh;
import dev.elasticrun.worker.internal.net.SocketNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The exchanges of one round without anything above them: a mesh per rank, a thread each. */
public final class TestExchanges implements AutoCloseable {
    private final Transport transport;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<PeerLobby> lobbies = new ArrayList<>();
    private final List<PeerListener> listeners = new ArrayList<>();
    private final List<PeerMesh> meshes = new ArrayList<>();
    private final List<Exchanges> exchanges = new ArrayList<>();
    private final PeerTable table;

    public interface Program {
        public void run(int rank, Exchange exchange) throws Exception;
    }

    /** @param transport AUTO puts two ranks on a node, and the last one alone if their number is odd */
    public TestExchanges(Path directory, Transport transport, int size) throws IOException {
        this.transport = transport;
        SocketNetwork network = new SocketNetwork(ListenPlace.LOOPBACK);
        Handshake handshake = new Handshake(TestWorker.KEY, TestWorker.INCARNATION);
        List<PeerTable.Peer> peers = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            PeerLobby lobby = new PeerLobby();
            PeerListener listener = new PeerListener(network.listen(0), handshake, lobby);
            listener.start();
            lobbies.add(lobby);
            listeners.add(listener);
            String node = "node" + (transport == Transport.AUTO ? rank / 2 : 0);
            peers.add(new PeerTable.Peer(rank, node, "127.0.0.1", listener.port()));
            exchanges.add(
                    new Exchanges(transport, Optional.of(Files.createDirectories(directory.resolve("w" + rank)))));
        }
        table = new PeerTable(1, peers);
        for (int rank = 0; rank < size; rank++) {
            PeerDialer dialer = new PeerDialer(network, handshake, 1, rank, "node" + rank);
            meshes.add(new PeerMesh(
                    table,
                    rank,
                    PeerState.of(new CheckpointStore(2, new ContentFiles(List.of())).inventory())
                            .encode(),
                    statement -> {},
                    lobbies.get(rank),
                    dialer,
                    TestWorker.WAITS));
        }
    }

    /** Each rank runs the program; the first failure is thrown. */
    public void run(Program program) throws Exception {
        List<Future<Void>> futures = new ArrayList<>();
        for (int each = 0; each < meshes.size(); each++) {
            int rank = each;
            futures.add(threads.submit(() -> {
                try {
                    meshes.get(rank).form();
                    program.run(rank, exchange(rank));
                    return null;
                } catch (Exception | Error e) {
                    meshes.forEach(PeerMesh::close);
                    throw e;
                }
            }));
        }
        ExecutionException failure = null;
        for (Future<Void> future : futures) {
            try {
                future.get(100, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                failure = failure == null || failure.getCause() instanceof BrokenLinkException ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    public PeerMesh mesh(int rank) {
        return meshes.get(rank);
    }

    private Exchange exchange(int rank) throws BrokenLinkException {
        Exchange exchange = exchanges.get(rank).open(meshes.get(rank), table);
        assertThat(exchange.getClass().getSimpleName()).isEqualTo(expected());
        return exchange;
    }

    private String expected() {
        return switch (transport) {
            case AUTO -> "LeadersExchange";
            case SHM -> "SharedExchange";
            case TCP -> meshes.size() <= DirectExchange.MOST_RANKS ? "DirectExchange" : "TreeRingExchange";
        };
    }

    @Override
    public void close() {
        meshes.forEach(PeerMesh::close);
        listeners.forEach(PeerListener::close);
        lobbies.forEach(PeerLobby::close);
        exchanges.forEach(Exchanges::close);
        threads.shutdownNow();
    }
}
