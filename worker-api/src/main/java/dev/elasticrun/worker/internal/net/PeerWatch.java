/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.contract.Daemons;
import dev.elasticrun.worker.contract.PeerTable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes a dead peer from a slow one. Shortly before this rank has waited for a peer for the time-out, the
 * peer's listener is called, which answers whatever the peer's user code does: an answer buys another time-out, none
 * until the time-out is over is a loss. However often it answers, the wait ends with the time-out of operations. Looks
 * on the channel thread, probes on a short-lived {@code peer-probe} thread.
 */
public final class PeerWatch {
    private static final System.Logger LOGGER = System.getLogger(PeerWatch.class.getName());
    /** The peer has half the time-out for its answer, but not longer and not shorter than these. */
    private static final long MAX_PROBE_NANOS = 5_000_000_000L;

    private static final long MIN_PROBE_NANOS = 1_000_000_000L;

    private final PeerDialer dialer;
    private final PeerTable table;
    private final long timeoutNanos;
    private final long probeNanos;
    private final long operationNanos;
    private final IntConsumer lost;
    private final LongSupplier clock;
    private final long startNanos;
    /** By rank: when it answered last. */
    private final AtomicLongArray answeredNanos;
    // By rank: null = it is not probed. Confined to the channel thread.
    private final @Nullable Inquiry[] inquiries;

    private volatile boolean hasWarned;

    /** A silent peer is called until it answers, or sends again. */
    private static final class Inquiry {
        private final long sinceNanos;
        private volatile boolean isUnderWay;
        private volatile boolean hasFailed;

        private Inquiry(long sinceNanos) {
            this.sinceNanos = sinceNanos;
        }
    }

    /** @param clock gives nanoseconds, as {@link System#nanoTime} does */
    public PeerWatch(PeerDialer dialer, PeerTable table, WaitLimits waits, IntConsumer lost, LongSupplier clock) {
        this.clock = clock;
        this.startNanos = clock.getAsLong();
        this.dialer = dialer;
        this.table = table;
        this.timeoutNanos = waits.peer().toNanos();
        this.probeNanos = Math.min(MAX_PROBE_NANOS, Math.max(MIN_PROBE_NANOS, timeoutNanos / 2));
        this.operationNanos = waits.operation().toNanos();
        this.lost = lost;
        this.answeredNanos = new AtomicLongArray(table.peers().size());
        this.inquiries = new Inquiry[table.peers().size()];
        for (int rank = 0; rank < table.peers().size(); rank++) {
            answeredNanos.set(rank, startNanos);
        }
    }

    /** Without a link the rank is awaited since the start of the round. One thread looks. */
    public void look(int rank, Optional<PeerLink> link, long nowNanos) {
        long waiting = waitingSince(link);
        long silent = nowNanos - Math.max(waiting, answeredNanos.get(rank));
        if (waiting == 0 || silent <= timeoutNanos - Math.min(probeNanos, timeoutNanos / 2)) {
            inquiries[rank] = null;
            return;
        }
        Inquiry inquiry = inquiries[rank];
        if (inquiry == null) {
            inquiry = new Inquiry(nowNanos);
            inquiries[rank] = inquiry;
        }
        // After a stop of this process the time-out is over before any peer was probed.
        boolean isUnanswered = inquiry.hasFailed || nowNanos - inquiry.sinceNanos > probeNanos;
        if (silent > timeoutNanos && isUnanswered) {
            lost.accept(rank);
        } else if (!inquiry.isUnderWay) {
            ask(rank, inquiry, silent);
        }
    }

    private void ask(int rank, Inquiry inquiry, long silentNanos) {
        inquiry.isUnderWay = true;
        inquiry.hasFailed = false;
        Daemons.start("peer-probe", () -> probe(rank, inquiry, silentNanos));
    }

    /** The ranks for which this rank has waited, if for any of them for longer than an operation may take. */
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

    private void probe(int rank, Inquiry inquiry, long silentNanos) {
        if (dialer.isAlive(table.peers().get(rank))) {
            // First: to log for the first time takes a second where processors are short.
            answeredNanos.set(rank, clock.getAsLong());
            LOGGER.log(
                    hasWarned ? Level.DEBUG : Level.WARNING,
                    "waiting for rank " + rank + " of round " + table.round() + ", which has sent nothing for "
                            + silentNanos / 1_000_000 + " ms; its process answers, so its program is awaited");
            hasWarned = true;
        } else {
            inquiry.hasFailed = true;
            inquiry.isUnderWay = false;
        }
    }
}
