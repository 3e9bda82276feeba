/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.loop.SteppedLoop;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.TransactionResult;
import dev.elasticrun.rendezvous.store.Watch;
import dev.elasticrun.rendezvous.store.WatchListener;
import dev.elasticrun.rendezvous.terms.LeaseTimes;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A machine that is suspended: its clock stands still, its lease does not. */
class LeaseKeeperSuspendedTest {
    private static final LeaseTimes TIMES = LeaseTimes.of(Duration.ofSeconds(3));

    private final SteppedLoop loop = new SteppedLoop();
    private final AskedStore store = new AskedStore();
    private final Seen seen = new Seen();
    private final LeaseKeeper keeper = new LeaseKeeper(store, loop, TIMES, seen);

    @BeforeEach
    void hold() {
        keeper.grant(() -> seen.news.add("granted"), () -> seen.news.add("lost"));
        keeper.bind();
        loop.pass(TIMES.heartbeat());
        store.answer(true);
        assertThat(seen.news).containsExactly("granted");
    }

    @Test
    void tick_afterALongSuspension_fencesBeforeItAsksTheStore() {
        loop.suspend(Duration.ofMinutes(10));

        loop.pass(TIMES.heartbeat());

        assertThat(seen.news).containsExactly("granted", "fenced");
        assertThat(seen.deadlineNanos).isLessThan(loop.nowNanos());
        assertThat(store.renewals).hasSize(1);
        store.answer(false);
        assertThat(seen.news).containsExactly("granted", "fenced", "lost");
    }

    @Test
    void answer_toARenewalFromBeforeTheSuspension_restoresNothing() {
        loop.pass(TIMES.heartbeat());
        loop.suspend(Duration.ofMinutes(10));

        store.answer(true);

        assertThat(seen.deadlineNanos).isLessThan(loop.nowNanos());
        loop.pass(TIMES.heartbeat());
        assertThat(seen.news).containsExactly("granted", "fenced");
        store.answer(true);
        assertThat(seen.news).containsExactly("granted", "fenced", "restored after a stall");
        assertThat(seen.deadlineNanos).isEqualTo(loop.nowNanos() + TIMES.fence().toNanos());
    }

    @Test
    void tick_afterAShortSuspension_onlyBringsTheDeadlineNearer() {
        long before = seen.deadlineNanos;
        loop.suspend(Duration.ofSeconds(1));

        loop.pass(TIMES.heartbeat());

        assertThat(seen.news).containsExactly("granted");
        assertThat(seen.deadlineNanos).isEqualTo(before - Duration.ofSeconds(1).toNanos());
        loop.pass(Duration.ofNanos(seen.deadlineNanos - loop.nowNanos() + 1));
        assertThat(seen.news).containsExactly("granted", "fenced");
    }

    @Test
    void storeSince_afterASuspension_isAGap() {
        loop.suspend(Duration.ofMinutes(10));
        loop.pass(TIMES.heartbeat());

        assertThat(keeper.storeSinceNanos()).isEqualTo(loop.nowNanos());
    }

    private static final class Seen implements Consumer<RendezvousEvent.OfLease> {
        private final List<String> news = new ArrayList<>();
        private long deadlineNanos;

        @Override
        public void accept(RendezvousEvent.OfLease event) {
            if (event instanceof RendezvousEvent.LeaseDeadline deadline) {
                deadlineNanos = deadline.nanos();
            } else if (event instanceof RendezvousEvent.Fenced) {
                news.add("fenced");
            } else if (event instanceof RendezvousEvent.Restored restored) {
                news.add(restored.stalled() ? "restored after a stall" : "restored");
            }
        }
    }

    /** Grants at once, and answers renewals when the test wants. */
    private static final class AskedStore implements RendezvousStore {
        private final Deque<CompletableFuture<Boolean>> renewals = new ArrayDeque<>();

        void answer(boolean known) {
            renewals.remove().complete(known);
        }

        @Override
        public CompletableFuture<Long> grantLease(Duration ttl) {
            return CompletableFuture.completedFuture(7L);
        }

        @Override
        public CompletableFuture<Boolean> renewLease(long leaseId) {
            CompletableFuture<Boolean> renewal = new CompletableFuture<>();
            renewals.add(renewal);
            return renewal;
        }

        @Override
        public CompletableFuture<KeyValues> range(KeyRange range) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<TransactionResult> commit(Transaction transaction) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Watch watch(KeyRange range, long fromRevision, WatchListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Optional<Duration>> leaseAge(long leaseId) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Void> revokeLease(long leaseId) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
