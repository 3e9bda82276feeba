/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

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
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Ranks of this process in a world of its own. */
record RehearsedWorld(Credentials credentials, String incarnation) {

    /**
     * @param directory of the memory that it shares
     * @param files of checkpoints
     */
    static DataPlane plane(Path directory, Path files) {
        return new DataPlane(
                new SocketNetwork(ListenPlace.LOOPBACK),
                new SteadyRound.Control(),
                new Exchanges(Transport.AUTO, Optional.of(directory)),
                WaitLimits.STANDARD,
                ReplayLimits.standard(),
                files,
                CheckpointOptions.STANDARD);
    }

    /** @return the port at which its peers reach it */
    int listen(DataPlane plane) throws IOException {
        return plane.listen(0, credentials, incarnation);
    }

    /**
     * @param ports of all ranks
     * @param nodes of all ranks
     */
    Collective join(DataPlane plane, long round, int rank, List<Integer> ports, List<String> nodes) {
        List<PeerTable.Peer> peers = new ArrayList<>();
        for (int peer = 0; peer < nodes.size(); peer++) {
            peers.add(new PeerTable.Peer(peer, nodes.get(peer), "127.0.0.1", ports.get(peer)));
        }
        // Local rank 0 writes the files.
        return new Collective(plane.join(
                SteadyRound.work(incarnation, round, rank, rank, nodes.size()),
                PeerTable.decode(new PeerTable(round, peers).encode())));
    }
}
