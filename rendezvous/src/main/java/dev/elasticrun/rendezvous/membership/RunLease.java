/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Owns the lease that a run's keys are bound to, except those of nodes, coordinator and verdict: they end by it when no
 * agent was left to remove them. The agent that creates the run has it granted, and every member renews it. Owned by
 * the loop.
 */
final class RunLease {
    // Longer than agents continue without the store: an agent that still takes part never finds that the run's keys
    // have ended.
    private static final Duration SHORTEST = Duration.ofDays(1);

    /** The store may be away for as long as it likes meanwhile. */
    private static final int RENEWALS_PER_TTL = 6;

    private final RendezvousStore store;
    private final EventLoop loop;
    private final Duration ttl;
    private long kept;
    private EventLoop.@Nullable Timer renewal;

    /** @param storeTimeout how long agents of the run continue without the store */
    RunLease(RendezvousStore store, EventLoop loop, Duration storeTimeout) {
        this.store = store;
        this.loop = loop;
        Duration twice = storeTimeout.multipliedBy(2);
        this.ttl = twice.compareTo(SHORTEST) > 0 ? twice : SHORTEST;
    }

    /** One for a run that is about to be created; completes on a thread of the store. */
    CompletableFuture<Long> grant() {
        return store.grantLease(ttl);
    }

    /**
     * From now on it is renewed by this agent.
     *
     * @param leaseId 0 = the run's keys are bound to none
     */
    void keep(long leaseId) {
        loop.assertInLoop();
        if (leaseId != kept) {
            close();
            kept = leaseId;
            renewLater();
        }
    }

    void close() {
        EventLoop.Timer pending = renewal;
        if (pending != null) {
            pending.cancel();
            renewal = null;
        }
        kept = 0;
    }

    private void renewLater() {
        if (kept != 0) {
            renewal = loop.schedule(ttl.dividedBy(RENEWALS_PER_TTL), this::renew);
        }
    }

    // The outcome does not matter: there is time for more attempts, and other members renew it, too.
    private void renew() {
        store.renewLease(kept);
        renewLater();
    }
}
