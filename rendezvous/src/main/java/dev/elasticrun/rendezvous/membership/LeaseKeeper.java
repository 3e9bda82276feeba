/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.terms.LeaseTimes;
import dev.elasticrun.rendezvous.view.Backoff;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the agent's lease by renewing it from the loop, so that a wedged loop loses it. The lease may be trusted for
 * {@link LeaseTimes#fence} after the last renewal was <em>sent</em>; from then on the node is fenced. Time in which the
 * machine was suspended counts, as it does for the store: what was noted before it is moved into the past. Owned by the
 * loop.
 */
public final class LeaseKeeper {
    // Attempts to renew between the fence and the end of the lease.
    private static final int LAST_TRIES = 8;

    private final RendezvousStore store;
    private final EventLoop loop;
    private final LeaseTimes times;
    private final Consumer<? super RendezvousEvent.OfLease> events;
    private final Backoff retry = new Backoff();
    private Runnable lost = () -> {};
    private long leaseId;
    private boolean bound;
    private long deadlineNanos;
    private long answeredNanos;
    private long storeSinceNanos;
    private boolean fenced;
    private boolean stalled;
    private boolean repeated;
    private long expectedTickNanos;
    private boolean closed;
    private long suspendedNanos;
    private EventLoop.@Nullable Timer timer;

    /**
     * @param events receives deadlines of a lease that the node's key is bound to, that one passed, and that the lease
     *     held after all
     */
    public LeaseKeeper(
            RendezvousStore store, EventLoop loop, LeaseTimes times, Consumer<? super RendezvousEvent.OfLease> events) {
        this.store = store;
        this.loop = loop;
        this.times = times;
        this.events = events;
        this.suspendedNanos = loop.suspendedNanos();
    }

    /**
     * Grants a new lease, giving up the one before; tries until it is closed.
     *
     * @param granted run in the loop when there is one
     * @param lost run in the loop when the store does not know it any more
     */
    void grant(Runnable granted, Runnable lost) {
        loop.assertInLoop();
        if (closed) {
            return;
        }
        cancelTimer();
        this.lost = lost;
        leaseId = 0;
        bound = false;
        noteSuspension();
        Sent sent = sent();
        store.grantLease(times.ttl())
                .whenComplete((id, error) -> loop.execute(() -> {
                    if (closed) {
                        if (id != null) {
                            store.revokeLease(id);
                        }
                    } else if (error != null) {
                        timer = loop.schedule(retry.next(), () -> grant(granted, lost));
                    } else {
                        retry.reset();
                        leaseId = id;
                        noteSuspension();
                        renewed(nanos(sent));
                        tickLater();
                        granted.run();
                    }
                }));
    }

    /** The node's key is bound to the lease: from now on its deadline counts. */
    void bind() {
        bound = true;
        events.accept(new RendezvousEvent.LeaseDeadline(deadlineNanos));
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    public long leaseId() {
        return leaseId;
    }

    /**
     * Since when renewals have been answered without a gap of more than half a TTL; now, while there is such a gap.
     * Renewals are sent at least three times per TTL, so that a shorter gap has cost no node its lease.
     */
    public long storeSinceNanos() {
        return gap() ? loop.nowNanos() : storeSinceNanos;
    }

    void close() {
        loop.assertInLoop();
        closed = true;
        cancelTimer();
    }

    /** When something was sent, and what the machine had been suspended for by then. */
    private record Sent(long nowNanos, long suspendedNanos) {}

    private Sent sent() {
        return new Sent(loop.nowNanos(), suspendedNanos);
    }

    /** As if the loop's clock had counted on. */
    private long nanos(Sent sent) {
        return sent.nowNanos - (suspendedNanos - sent.suspendedNanos);
    }

    private void noteSuspension() {
        long before = suspendedNanos;
        suspendedNanos = loop.suspendedNanos();
        long moved = suspendedNanos - before;
        if (moved > 0 && leaseId != 0) {
            stalled |= moved > times.stall().toNanos();
            answeredNanos -= moved;
            deadlineNanos -= moved;
            reportDeadline();
        }
    }

    private void tick() {
        noteSuspension();
        long nowNanos = loop.nowNanos();
        stalled |= nowNanos - expectedTickNanos > times.stall().toNanos();
        if (!fenced && nowNanos - deadlineNanos > 0) {
            fenced = true;
            events.accept(new RendezvousEvent.Fenced());
        }
        repeated = false;
        renew();
        tickLater();
    }

    private void renew() {
        long renewing = leaseId;
        Sent sent = sent();
        store.renewLease(renewing)
                .whenComplete(
                        (known, error) -> loop.execute(() -> onAnswer(renewing, sent, error == null ? known : null)));
    }

    private void onAnswer(long renewing, Sent sent, @Nullable Boolean known) {
        if (closed || renewing != leaseId) {
            return;
        }
        noteSuspension();
        long sentNanos = nanos(sent);
        if (known == null) {
            // A renewal ran out of time: the next one cannot wait for its turn, too, if the lease is to be kept.
            if (!repeated) {
                repeated = true;
                renew();
            }
            return;
        }
        if (gap()) {
            storeSinceNanos = loop.nowNanos();
        }
        answeredNanos = Math.max(answeredNanos, sentNanos);
        if (known) {
            renewed(sentNanos);
        } else {
            cancelTimer();
            leaseId = 0;
            fenced = true;
            lost.run();
        }
    }

    private void renewed(long sentNanos) {
        answeredNanos = Math.max(answeredNanos, sentNanos);
        long deadline = sentNanos + times.fence().toNanos();
        if (deadlineNanos == 0 || deadline - deadlineNanos > 0) {
            deadlineNanos = deadline;
        }
        if (loop.nowNanos() - deadlineNanos <= 0) {
            reportDeadline();
            if (fenced) {
                fenced = false;
                if (bound) {
                    events.accept(new RendezvousEvent.Restored(stalled));
                }
            }
            stalled = false;
        }
    }

    private void reportDeadline() {
        if (bound) {
            events.accept(new RendezvousEvent.LeaseDeadline(deadlineNanos));
        }
    }

    private boolean gap() {
        return loop.nowNanos() - answeredNanos > times.harmlessGap().toNanos();
    }

    private void tickLater() {
        cancelTimer();
        long nowNanos = loop.nowNanos();
        long delayNanos = times.heartbeat().toNanos();
        if (!fenced) {
            // Not a moment later than the deadline, whatever the rhythm of renewals is.
            delayNanos = Math.max(0, Math.min(delayNanos, deadlineNanos + 1 - nowNanos));
        } else if (nowNanos - deadlineNanos < times.rest().toNanos()) {
            // The store may still have the lease, but perhaps not for another heartbeat.
            delayNanos = Math.min(delayNanos, times.rest().toNanos() / LAST_TRIES);
        }
        expectedTickNanos = nowNanos + delayNanos;
        timer = loop.schedule(Duration.ofNanos(delayNanos), this::tick);
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
