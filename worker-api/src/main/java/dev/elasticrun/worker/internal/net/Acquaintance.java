/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.contract.PeerTable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * Lets a new worker call those that work already and hang up again, before they wait for it. Both ends have seen each
 * other's certificates then, and the calls of the round resume these TLS sessions. Nothing is kept but what TLS keeps
 * of a peer.
 */
public final class Acquaintance {
    private static final System.Logger LOGGER = System.getLogger(Acquaintance.class.getName());
    private static final int CALLERS = 4;

    private final PeerDialer dialer;
    private final Queue<PeerTable.Peer> peers;

    private Acquaintance(PeerDialer dialer, List<PeerTable.Peer> peers) {
        this.dialer = dialer;
        this.peers = new ConcurrentLinkedQueue<>(peers);
    }

    /**
     * Blocks until all were called, or the time is over; then the dialer is closed.
     *
     * @param peers that work in a round without this worker; a peer that does not answer is left out
     */
    public static void make(PeerDialer dialer, List<PeerTable.Peer> peers, Duration limit) throws InterruptedException {
        Acquaintance acquaintance = new Acquaintance(dialer, peers);
        long endNanos = System.nanoTime() + limit.toNanos();
        List<Thread> callers = new ArrayList<>();
        try {
            for (int caller = 0; caller < Math.min(CALLERS, peers.size()); caller++) {
                callers.add(Daemons.start("peer-meet-" + caller, acquaintance::call));
            }
            for (Thread caller : callers) {
                long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
                caller.join(Math.max(1, leftMillis));
            }
        } finally {
            acquaintance.peers.clear();
            dialer.close();
        }
    }

    private void call() {
        for (PeerTable.Peer peer = peers.poll(); peer != null; peer = peers.poll()) {
            try {
                dialer.probe(peer);
            } catch (IOException | RuntimeException e) {
                LOGGER.log(Level.DEBUG, "rank " + peer.rank() + " was not met before the round: " + e);
            }
        }
    }
}
