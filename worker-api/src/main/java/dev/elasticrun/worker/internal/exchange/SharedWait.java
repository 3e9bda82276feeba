/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.internal.net.PeerGroup;
import dev.elasticrun.worker.internal.net.PeerLink;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for signals in the areas of peers. First it spins, if there are processors for all; then it yields; then it
 * sleeps for longer and longer. Ends when the round is closed. From the first sleep on it also reads the peer's link,
 * which reports its death.
 */
final class SharedWait {
    private static final int CLOSED_CHECK = 63;
    private static final int YIELDS = 500;
    private static final long FIRST_SLEEP_NANOS = 20_000;
    private static final long LAST_SLEEP_NANOS = 500_000;

    private final PeerGroup group;
    private final int spins;

    SharedWait(PeerGroup group) {
        this.group = group;
        this.spins = group.isSideBySide() ? 5_000 : 20;
    }

    /** Returns when the peer's signal is at {@code wanted} or after. */
    void await(SharedArea area, int peer, long wanted) throws BrokenLinkException {
        for (int i = 0; i < spins; i++) {
            if (area.signal() >= wanted) {
                return;
            }
            if ((i & CLOSED_CHECK) == CLOSED_CHECK && group.isClosed()) {
                throw new BrokenLinkException(group.rank(peer), "round closed");
            }
            Thread.onSpinWait();
        }
        PeerLink link = group.link(peer);
        link.startWaiting();
        try {
            awaitLong(area, link, wanted);
        } finally {
            link.stopWaiting();
        }
    }

    private void awaitLong(SharedArea area, PeerLink link, long wanted) throws BrokenLinkException {
        long sleep = FIRST_SLEEP_NANOS;
        for (int i = 0; area.signal() < wanted; i++) {
            if (group.isClosed()) {
                throw new BrokenLinkException(link.rank(), "round closed");
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new BrokenLinkException(link.rank(), "interrupted");
            }
            if (i < YIELDS) {
                letOthersRun();
            } else {
                LockSupport.parkNanos(this, sleep);
                sleep = Math.min(2 * sleep, LAST_SLEEP_NANOS);
                listen(area, link, wanted);
            }
        }
    }

    /** A peer that is done may hang up: what it has signalled counts. */
    private static void listen(SharedArea area, PeerLink link, long wanted) throws BrokenLinkException {
        try {
            link.listen();
        } catch (BrokenLinkException e) {
            if (area.signal() < wanted) {
                throw e;
            }
        }
    }

    /** With more workers than processors the awaited one may need this one's; a sleep takes 50 us and more to end. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void letOthersRun() {
        Thread.yield();
    }
}
