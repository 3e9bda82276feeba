/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.PeerTable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells a dead peer from a slow one. When this rank has waited for a peer for the time-out, the peer's listener is
 * called, which answers whatever the peer's user code does: an answer buys another time-out, none is a loss. However
 * often it answers, the wait ends with the time-out of operations. Looks on the channel thread, probes on a short-lived
 * {@code peer-probe} thread.
 */
final class PeerWatch {
    private static final System.Logger LOGGER = System.getLogger(PeerWatch.class.getName());
    private static final long MAX_PROBE_NANOS = 5_000_000_000L;

    private final PeerDialer dialer;
    private final PeerTable table;
    private final long timeoutNanos;
    private final long operationNanos;
    private final IntConsumer lost;
    private final long startNanos = System.nanoTime();
    /** By rank: when it answered last. */
    private final AtomicLongArray answeredNanos;
    /** By rank: since when it is asked; 0 = it is not. */
    private final AtomicLongArray probedNanos;

    private volatile boolean hasSaid;

    PeerWatch(PeerDialer dialer, PeerTable table, WaitLimits waits, IntConsumer lost) {
        this.dialer = dialer;
        this.table = table;
        this.timeoutNanos = waits.peer().toNanos();
        this.operationNanos = waits.operation().toNanos();
        this.lost = lost;
        this.answeredNanos = new AtomicLongArray(table.peers().size());
        this.probedNanos = new AtomicLongArray(table.peers().size());
        for (int rank = 0; rank < table.peers().size(); rank++) {
            answeredNanos.set(rank, startNanos);
        }
    }

    /** Without a link the rank is awaited since the start of the round. One thread looks. */
    void look(int rank, Optional<PeerLink> link, long nowNanos) {
        long probed = probedNanos.get(rank);
        long waiting = waitingSince(link);
        if (probed != 0) {
            if (nowNanos - probed > MAX_PROBE_NANOS) {
                lost.accept(rank);
            }
        } else if (waiting != 0 && nowNanos - Math.max(waiting, answeredNanos.get(rank)) > timeoutNanos) {
            probedNanos.set(rank, nowNanos);
            Thread thread = new Thread(() -> probe(rank), "peer-probe");
            thread.setDaemon(true);
            thread.start();
        }
    }

    /** Whom the rank has waited for, if for any of them for longer than an operation may take. */
    Optional<Overdue> overdue(@Nullable PeerLink[] links, int rank, long nowNanos) {
        long longest = 0;
        List<Integer> awaited = new ArrayList<>();
        for (int peer = 0; operationNanos > 0 && peer < links.length; peer++) {
            long since = peer == rank ? 0 : waitingSince(Optional.ofNullable(links[peer]));
            if (since != 0) {
                awaited.add(peer);
                longest = Math.max(longest, nowNanos - since);
            }
        }
        return longest > operationNanos
                ? Optional.of(new Overdue(table.round(), awaited, Duration.ofNanos(longest)))
                : Optional.empty();
    }

    /** 0 = it is not awaited. */
    private long waitingSince(Optional<PeerLink> link) {
        return link.map(PeerLink::waitingSince).orElse(startNanos);
    }

    private void probe(int rank) {
        if (dialer.isAlive(table.peers().get(rank))) {
            LOGGER.log(
                    hasSaid ? Level.DEBUG : Level.WARNING,
                    "waiting for rank " + rank + " of round " + table.round() + ", which has said nothing for "
                            + timeoutNanos / 1_000_000 + " ms; its process answers, so its program is awaited");
            hasSaid = true;
            answeredNanos.set(rank, System.nanoTime());
            probedNanos.set(rank, 0);
        } else {
            lost.accept(rank);
        }
    }
}
