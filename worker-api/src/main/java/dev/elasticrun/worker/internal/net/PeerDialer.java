/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.contract.PeerTable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Calls peers for one round. A call that fails is tried again every few milliseconds until the round is closed. */
public final class PeerDialer {
    private static final System.Logger LOGGER = System.getLogger(PeerDialer.class.getName());
    private static final long RETRY_NANOS = 3_000_000L;
    private static final long OLD_ROUND_RETRY_NANOS = 50_000_000L;

    private final Network network;
    private final Handshake handshake;
    private final long round;
    private final int rank;
    private final String node;
    private final Set<Wire> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    /** @param node that this rank is on */
    public PeerDialer(Network network, Handshake handshake, long round, int rank, String node) {
        this.network = network;
        this.handshake = handshake;
        this.round = round;
        this.rank = rank;
        this.node = node;
    }

    /** Blocks until the peer has taken the call into the round; throws only when the round is closed. */
    Wire dial(PeerTable.Peer peer) throws IOException {
        for (long attempt = 0; !isClosed; attempt++) {
            long pause = RETRY_NANOS;
            try {
                // Every other time without regard to where the peer is: what looks like this host may be a proxy's end.
                boolean isWithinNode = peer.nodeId().equals(node) && attempt % 2 == 0;
                Network.Outgoing wire = isWithinNode ? network.outgoingWithinNode() : network.outgoing();
                int verdict = call(wire, peer, false);
                if (verdict == Handshake.ACCEPTED) {
                    return wire;
                }
                close(wire);
                pause = OLD_ROUND_RETRY_NANOS;
            } catch (IOException | RuntimeException e) {
                if (attempt == 0) {
                    LOGGER.log(Level.DEBUG, "calling rank " + peer.rank() + " failed, trying again: " + e);
                }
            }
            LockSupport.parkNanos(pause);
        }
        throw new IOException("round " + round + " is closed");
    }

    /** Whether the peer's process answers. Blocks; {@link #close} ends it. */
    boolean isAlive(PeerTable.Peer peer) {
        try {
            return probe(peer);
        } catch (IOException | RuntimeException e) {
            LOGGER.log(Level.INFO, "rank " + peer.rank() + " was silent and does not answer a probe: " + e);
            return false;
        }
    }

    /** Blocks; {@link #close} ends it. */
    boolean probe(PeerTable.Peer peer) throws IOException {
        Network.Outgoing wire = network.outgoing();
        try {
            return call(wire, peer, true) == Handshake.ACCEPTED;
        } finally {
            close(wire);
        }
    }

    void close() {
        isClosed = true;
        open.forEach(this::close);
    }

    /** Blocks until there is a verdict. */
    private int call(Network.Outgoing wire, PeerTable.Peer peer, boolean isProbe) throws IOException {
        open.add(wire);
        try {
            if (isClosed) {
                throw new IOException("round " + round + " is closed");
            }
            wire.connect(peer.host(), peer.port());
            Hello hello = new Hello(isProbe, handshake.incarnation(), round, rank, peer.rank(), peer.port());
            return Handshake.verdict(wire, handshake.call(wire, hello));
        } catch (IOException | RuntimeException e) {
            close(wire);
            throw e;
        }
    }

    private void close(Wire wire) {
        open.remove(wire);
        wire.close();
    }
}
