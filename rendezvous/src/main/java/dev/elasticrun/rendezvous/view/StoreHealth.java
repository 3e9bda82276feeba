/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.view;

import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.store.StoreFullException;
import dev.elasticrun.rendezvous.store.StoreRefusedException;
import dev.elasticrun.rendezvous.store.StoreReplacedException;
import dev.elasticrun.rendezvous.store.StoreUntrustedException;
import dev.elasticrun.rendezvous.terms.StoreContact;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Derives the state of the store from the outcome of this agent's calls: silent, refusing writes for want of space,
 * another one, or well. Reports a failure from a lease's time on and gives up after the store's time-out. Owned by the
 * loop.
 */
public final class StoreHealth {
    // Writes that a caller waits for are tried again far sooner than this.
    private static final Duration GIVEN_UP = Duration.ofSeconds(10);

    private final EventLoop loop;
    private final StoreContact contact;
    private final Duration leaseTtl;
    private final Consumer<? super RendezvousEvent.OfStore> events;
    private final Trouble silence = new Trouble("has not answered for ");
    private final Trouble refusal = new Trouble("has refused writes for ");
    private boolean joined;
    private boolean closed;
    private long dueNanos;
    private EventLoop.@Nullable Timer timer;

    /** What kind of service a call asked for. */
    enum Service {
        ANY,
        /** A lease alone, which a store may give that answers nothing else: not enough to join. */
        LEASE,
        /** One that takes space. */
        WRITE
    }

    public StoreHealth(
            EventLoop loop, StoreContact contact, Duration leaseTtl, Consumer<? super RendezvousEvent.OfStore> events) {
        this.loop = loop;
        this.contact = contact;
        this.leaseTtl = leaseTtl;
        this.events = events;
    }

    /** From now on it is the store's time-out that counts, not that of the first contact. */
    public void joined() {
        joined = true;
    }

    void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    /** A call that was sent at that time has succeeded. */
    void onAnswer(Service service, long sentNanos) {
        loop.assertInLoop();
        if (!closed) {
            if (joined || service != Service.LEASE) {
                silence.end(sentNanos);
            }
            if (service == Service.WRITE) {
                refusal.end(sentNanos);
            }
        }
    }

    /** A call that was sent at that time has failed. */
    void onFailure(long sentNanos, Throwable error) {
        loop.assertInLoop();
        if (closed) {
            return;
        }
        if (error instanceof StoreReplacedException) {
            close();
            events.accept(new RendezvousEvent.StoreLost(contact.name() + ": " + error.getMessage()));
        } else if (isHopeless(error) && !joined) {
            close();
            events.accept(new RendezvousEvent.StoreUntrusted(contact.name() + ": " + error.getMessage()));
        } else if (error instanceof StoreFullException) {
            silence.end(sentNanos);
            refusal.failed(sentNanos, error);
            check();
        } else {
            silence.failed(sentNanos, error);
            check();
        }
    }

    // Whether it lasts until an operator repairs it.
    private static boolean isHopeless(Throwable error) {
        return error instanceof StoreUntrustedException || error instanceof StoreRefusedException;
    }

    private void onTimer() {
        long lateNanos = loop.nowNanos() - dueNanos;
        if (lateNanos > leaseTtl.toNanos()) {
            // This process itself did not run: it sent the store nothing meanwhile.
            silence.shift(lateNanos);
            refusal.shift(lateNanos);
        }
        check();
    }

    private void check() {
        long nowNanos = loop.nowNanos();
        if (refusal.present && nowNanos - refusal.lastNanos > GIVEN_UP.toNanos()) {
            refusal.present = false;
        }
        Duration silenceLimit = joined ? contact.timeout() : contact.firstContact();
        if (silence.present && nowNanos - silence.sinceNanos >= silenceLimit.toNanos()) {
            close();
            String reason = joined
                    ? silence.lost(nowNanos)
                    : contact.name() + " did not answer within " + silenceLimit.toSeconds()
                            + " s (expected: a server of etcd's v3 API; " + silence.cause + ")";
            events.accept(new RendezvousEvent.StoreLost(reason));
        } else if (refusal.present
                && nowNanos - refusal.sinceNanos >= contact.timeout().toNanos()) {
            close();
            events.accept(new RendezvousEvent.StoreLost(refusal.lost(nowNanos)));
        } else if (silence.present || refusal.present) {
            silence.report(nowNanos, leaseTtl);
            refusal.report(nowNanos, Duration.ZERO);
            checkLater(nowNanos, silenceLimit);
        }
    }

    private void checkLater(long nowNanos, Duration silenceLimit) {
        long leftNanos =
                Math.min(silence.leftNanos(nowNanos, silenceLimit), refusal.leftNanos(nowNanos, contact.timeout()));
        Duration delay = Duration.ofNanos(Math.max(0, Math.min(leftNanos, leaseTtl.toNanos())));
        dueNanos = nowNanos + delay.toNanos();
        if (timer != null) {
            timer.cancel();
        }
        timer = loop.schedule(delay, this::onTimer);
    }

    /** One way in which the store does not serve, from the first call that shows it to the first that shows the opposite. */
    private final class Trouble {
        private static final Duration REMINDER = Duration.ofSeconds(10);

        private final String what;
        private boolean present;
        private boolean isReported;
        private long sinceNanos;
        private long lastNanos;
        private long reportNanos;
        private String cause = "";

        Trouble(String what) {
            this.what = what;
        }

        void failed(long sentNanos, Throwable error) {
            long nowNanos = loop.nowNanos();
            if (!present) {
                present = true;
                isReported = false;
                // No call takes longer than that, but for a process that was stopped meanwhile.
                sinceNanos = Math.max(sentNanos, nowNanos - leaseTtl.toNanos());
                reportNanos = sinceNanos;
            }
            lastNanos = nowNanos;
            cause = String.valueOf(error.getMessage());
        }

        void end(long sentNanos) {
            if (present && sentNanos - sinceNanos >= 0) {
                present = false;
                if (isReported) {
                    events.accept(new RendezvousEvent.StoreWell(describe(loop.nowNanos())));
                }
            }
        }

        void shift(long nanos) {
            sinceNanos += nanos;
        }

        void report(long nowNanos, Duration after) {
            if (present && nowNanos - sinceNanos >= after.toNanos() && nowNanos - reportNanos >= 0) {
                isReported = true;
                reportNanos = nowNanos + REMINDER.toNanos();
                // Refused writes are waited for as long before joining as later.
                boolean first = !joined && this == silence;
                Duration limit = first ? contact.firstContact() : contact.timeout();
                events.accept(new RendezvousEvent.StoreTrouble(describe(nowNanos) + "; waiting for it until "
                        + (first ? "--first-contact-timeout (" : "--store-timeout (") + limit.toSeconds()
                        + " s) is over; " + cause));
            }
        }

        long leftNanos(long nowNanos, Duration limit) {
            return present ? sinceNanos + limit.toNanos() - nowNanos : Long.MAX_VALUE;
        }

        String lost(long nowNanos) {
            return describe(nowNanos) + " (--store-timeout is "
                    + contact.timeout().toSeconds() + " s); " + cause;
        }

        private String describe(long nowNanos) {
            return contact.name() + " " + what
                    + Duration.ofNanos(nowNanos - sinceNanos).toSeconds() + " s";
        }
    }
}
