/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.ElementType;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.internal.exchange.DirectExchange;
import dev.elasticrun.worker.internal.exchange.Exchange;
import dev.elasticrun.worker.internal.exchange.LeadersExchange;
import dev.elasticrun.worker.internal.exchange.NodeLayout;
import dev.elasticrun.worker.internal.exchange.Operation;
import dev.elasticrun.worker.internal.exchange.Scratch;
import dev.elasticrun.worker.internal.exchange.SharedAreas;
import dev.elasticrun.worker.internal.exchange.SharedSetup;
import dev.elasticrun.worker.internal.exchange.Transport;
import dev.elasticrun.worker.internal.exchange.TreeRingExchange;
import dev.elasticrun.worker.internal.net.PeerGroup;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** How this worker exchanges data, from round to round: what it keeps for that, and what it chooses. User thread only. */
public final class Exchanges implements Closeable {
    private final Transport transport;
    private final SharedAreas areas;
    private final Scratch scratch = new Scratch();

    /** @param workerDirectory for what this worker shows to others of its node; empty = it shows nothing */
    public Exchanges(Transport transport, Optional<Path> workerDirectory) {
        this.transport = transport;
        this.areas = new SharedAreas(transport == Transport.TCP ? Optional.empty() : workerDirectory);
    }

    /** For a round whose mesh is formed. All ranks choose the same. */
    Exchange open(PeerMesh mesh, PeerTable table) throws BrokenLinkException {
        boolean isOneNode =
                table.peers().stream().map(PeerTable.Peer::nodeId).distinct().count() == 1;
        PeerGroup all = PeerGroup.all(mesh);
        if (mesh.size() == 1) {
            return links(all, scratch);
        }
        Optional<Exchange> shared = isOneNode
                ? new SharedSetup(mesh, all, scratch, areas).open()
                : leaders(
                        mesh, table.peers().stream().map(PeerTable.Peer::nodeId).toList());
        if (transport == Transport.SHM && (shared.isEmpty() || !isOneNode)) {
            // A rank that ended meanwhile has taken its area with it: that is a broken round, and no error of the
            // program.
            links(all, scratch).barrier(new Operation(-1, Operation.Kind.BARRIER, ElementType.NONE, null, 0, 0));
            throw new IllegalStateException("cannot join round " + mesh.round() + " over shared memory only: "
                    + (isOneNode ? "a rank has none" : "it spans several nodes"));
        }
        return shared.orElseGet(() -> links(all, scratch));
    }

    private Optional<Exchange> leaders(PeerMesh mesh, List<String> nodes) throws BrokenLinkException {
        Optional<NodeLayout> layout = NodeLayout.of(nodes);
        if (layout.isEmpty()) {
            return Optional.empty();
        }
        int node = layout.get().nodeOf(mesh.rank());
        PeerGroup members = new PeerGroup(mesh, layout.get().members(node));
        Optional<Exchange> within = new SharedSetup(mesh, members, scratch, areas).open();
        if (within.isEmpty()) {
            return Optional.empty();
        }
        Exchange leaders =
                members.place() == 0 ? links(new PeerGroup(mesh, layout.get().leaders()), scratch) : null;
        return Optional.of(new LeadersExchange(mesh.rank(), layout.get(), within.get(), leaders));
    }

    /** Over the links only. */
    static Exchange links(PeerGroup group, Scratch scratch) {
        return group.size() <= DirectExchange.MOST_RANKS
                ? new DirectExchange(group, scratch)
                : new TreeRingExchange(group, scratch);
    }

    /** The process ends. */
    @Override
    public void close() {
        areas.close();
    }
}
