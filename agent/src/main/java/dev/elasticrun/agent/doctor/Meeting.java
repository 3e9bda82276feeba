/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import dev.elasticrun.agent.control.ProbeClient.ProbeFailedException;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.StoreException;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Meets others that are examined for the same run, by keys below a prefix of the store that end with this process. Blocks, for at
 * most the given time and what the measurements take; used by one thread.
 */
final class Meeting {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long REMINDER_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** How long another node may take to measure its ways, after this one has. */
    private static final Duration FINISH = Duration.ofSeconds(30);

    private final RendezvousStore store;
    private final String prefix;
    private final boolean servesStore;
    private final Dialer dialer;
    private final Consumer<String> news;

    /**
     * @param prefix of the keys of all that meet
     * @param servesStore whether the store ends with this process
     * @param news receives what is waited for
     */
    Meeting(RendezvousStore store, String prefix, boolean servesStore, Dialer dialer, Consumer<String> news) {
        this.store = store;
        this.prefix = prefix;
        this.servesStore = servesStore;
        this.dialer = dialer;
        this.news = news;
    }

    /** Measures the way to another node. */
    @FunctionalInterface
    interface Dialer {
        PeerReport dial(Attendee other) throws ProbeFailedException;
    }

    /**
     * What came of a call to another node.
     *
     * @param failure empty = it succeeded
     */
    record Outcome(Attendee other, List<PeerReport> report, String failure) {}

    /**
     * Returns when enough others were dialed and have dialed this node, or the time is over.
     *
     * @param self dialed nobody yet
     * @param wanted number of others
     * @param wait how long for them
     */
    List<Outcome> hold(Attendee self, int wanted, Duration wait) {
        Duration life = wait.plus(FINISH).multipliedBy(2);
        long lease = StoreProbe.get(store.grantLease(life));
        try {
            return hold(self, wanted, wait, lease);
        } finally {
            leave(lease);
        }
    }

    // A store that went away took the keys with it, or ends the lease later.
    private void leave(long lease) {
        try {
            StoreProbe.get(store.revokeLease(lease));
        } catch (StoreException e) {
            news.accept("the keys of this examination end later: " + e.getMessage());
        }
    }

    private List<Outcome> hold(Attendee started, int wanted, Duration wait, long lease) {
        List<Outcome> outcomes = new ArrayList<>();
        Attendee self = started;
        publish(self, lease);
        long now = System.nanoTime();
        long deadline = now + wait.toNanos();
        long reminder = now;
        while (true) {
            Roster roster = read(self);
            for (Attendee other : roster.toDial()) {
                Outcome outcome = dial(other);
                // One that has left had no duty to answer. Once it can read that it was dialed, it may leave at any
                // time.
                if (outcome.failure().isEmpty() || read(self).contains(other)) {
                    outcomes.add(outcome);
                }
                self = self.withDialed(other.node());
                publish(self, lease);
                deadline = Math.max(deadline, System.nanoTime() + FINISH.toNanos());
            }
            roster = read(self);
            now = System.nanoTime();
            if (roster.isDone(wanted, servesStore) || now - deadline >= 0) {
                return outcomes;
            }
            if (now - reminder >= 0) {
                reminder = now + REMINDER_NANOS;
                news.accept(waiting(roster, wanted, TimeUnit.NANOSECONDS.toSeconds(deadline - now)));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static String waiting(Roster roster, int wanted, long seconds) {
        int missing = wanted - roster.self().dialed().size();
        String whom = missing > 0
                ? missing + " more to be examined for this run"
                : String.join(", ", roster.others().stream().map(Attendee::node).toList())
                        + " to complete measurements";
        return "waiting for " + whom + ", for at most " + Math.max(seconds, 0) + " s";
    }

    private Outcome dial(Attendee other) {
        try {
            return new Outcome(other, List.of(dialer.dial(other)), "");
        } catch (ProbeFailedException e) {
            return new Outcome(other, List.of(), String.valueOf(e.getMessage()));
        }
    }

    private void publish(Attendee self, long lease) {
        Operation put = new Operation.Put(prefix + self.node(), self.encode(), lease);
        StoreProbe.get(store.commit(new Transaction(List.of(), List.of(put), List.of())));
    }

    private Roster read(Attendee self) {
        List<Attendee> others = StoreProbe.get(store.range(KeyRange.prefix(prefix))).entries().stream()
                .filter(entry -> !entry.key().equals(prefix + self.node()))
                .flatMap(entry -> Attendee.decode(entry.value()).stream())
                .toList();
        return new Roster(self, others);
    }
}
