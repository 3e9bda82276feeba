/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.PeerTable;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.Optional;

/** How this worker exchanges data, from round to round: what it keeps for that, and what it chooses. User thread only. */
final class Exchanges implements Closeable {
    private final Transport transport;
    private final SharedAreas areas;
    private final Scratch scratch = new Scratch();

    /** @param workerDirectory for what this worker shows to others of its node; empty = it shows nothing */
    Exchanges(Transport transport, Optional<Path> workerDirectory) {
        this.transport = transport;
        this.areas = new SharedAreas(transport == Transport.TCP ? Optional.empty() : workerDirectory);
    }

    /** For a round whose mesh is formed. All ranks choose the same. */
    Exchange open(PeerMesh mesh, PeerTable table) throws BrokenLinkException {
        boolean isOneNode =
                table.peers().stream().map(PeerTable.Peer::nodeId).distinct().count() == 1;
        Optional<Exchange> shared =
                isOneNode && mesh.size() > 1 ? new SharedSetup(mesh, scratch, areas).open() : Optional.empty();
        if (shared.isEmpty() && transport == Transport.SHM && mesh.size() > 1) {
            // A rank that ended meanwhile has taken its area with it: that is a broken round, and nobody's mistake.
            links(mesh, scratch).barrier(new Operation(-1, Operation.Kind.BARRIER, ElementType.NONE, null, 0, 0));
            throw new IllegalStateException("cannot join round " + mesh.round() + " over shared memory only: "
                    + (isOneNode ? "a rank has none" : "it spans several nodes"));
        }
        return shared.orElseGet(() -> links(mesh, scratch));
    }

    /** Over the links only. */
    static Exchange links(PeerMesh mesh, Scratch scratch) {
        return mesh.size() <= DirectExchange.MOST_RANKS
                ? new DirectExchange(mesh, scratch)
                : new TreeRingExchange(mesh, scratch);
    }

    /** The process ends. */
    @Override
    public void close() {
        areas.close();
    }
}
