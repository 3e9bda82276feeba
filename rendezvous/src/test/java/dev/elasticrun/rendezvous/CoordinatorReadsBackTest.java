/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.IndeterminateWriteException;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.PassingStore;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.TransactionResult;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What a coordinator knows before it decides: when it is elected, what its election read, and its own node's record even if
 * the store does not have that yet; when its write may or may not have arrived, all that is there.
 */
final class CoordinatorReadsBackTest {
    private static final String RUN = "run";
    private static final RunKeys KEYS = RunKeys.of(RUN);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedLoop loop = new SimulatedLoop(time);
    private final DoubtfulStore store = new DoubtfulStore(new SimulatedStore(time, new Random(1)).connect(loop));
    private final NodeFixture node = NodeFixture.of("a", 1);
    private final List<Round> rounds = new ArrayList<>();

    @Test
    void elected_isKnownAtOnce_decidesFromWhatTheElectionRead() {
        run();

        int elected = store.calls.indexOf("election");
        assertThat(store.calls.subList(elected + 1, store.calls.indexOf("doubtful round")))
                .isEmpty();
    }

    @Test
    void round_outcomeOfItsWriteIsUnknownAndANodeChanges_isReadBeforeAnythingIsWritten() {
        run();

        assertThat(store.calls).contains("doubtful round");
        int doubt = store.calls.indexOf("doubtful round");
        assertThat(store.calls.get(doubt + 1)).isEqualTo("all");
    }

    @Test
    void elected_storeDoesNotHaveItsOwnNewestRecordYet_decidesWithThatRecord() {
        store.onElection = rendezvous -> rendezvous.update(node.checkpoint(7).record());

        run();

        assertThat(store.calls).contains("held record");
        assertThat(rounds.get(0).ledger().checkpoint()).isEqualTo(new RunVersion(0, 7));
    }

    private void run() {
        Rendezvous rendezvous = new Rendezvous(
                store,
                loop,
                RendezvousNode.config(RUN, 1, RendezvousNode.LEASE, Duration.ofMinutes(1)),
                RestartPolicies.byName("soft-no-replace"),
                node.record(),
                new RunFounder("i", new SecureRandom()),
                event -> {
                    if (event instanceof RendezvousEvent.RoundChanged changed) {
                        rounds.add(changed.round());
                    }
                });
        // A moment later: the coordinator knows by then that its write has failed.
        store.onDoubt = () -> loop.schedule(
                Duration.ofMillis(10),
                () -> rendezvous.update(node.checkpoint(1).record()));
        store.rendezvous = rendezvous;
        loop.execute(rendezvous::start);
        long endNanos = Duration.ofSeconds(10).toNanos();
        while (time.step(endNanos)) {
            // Until that time has come.
        }
    }

    /**
     * Notes elections, writes of rounds and reads of the run. The first write of a round is lost; if something is to happen
     * at the election, the records that the node publishes from then on are instead.
     */
    private static final class DoubtfulStore extends PassingStore {
        private final List<String> calls = new ArrayList<>();
        private Runnable onDoubt = () -> {};
        private @Nullable Consumer<Rendezvous> onElection;
        private @Nullable Rendezvous rendezvous;
        private boolean holdsRecords;

        DoubtfulStore(RendezvousStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<KeyValues> range(KeyRange range) {
            calls.add("range " + range.from());
            return super.range(range);
        }

        @Override
        public CompletableFuture<TransactionResult> commit(Transaction transaction) {
            boolean round = writes(transaction, KEYS.round());
            if (writes(transaction, KEYS.coordinator())) {
                calls.add("election");
                atElection();
            }
            if (transaction.onSuccess().equals(KEYS.ofCoordinator())) {
                calls.add("all");
            }
            if (holdsRecords && writes(transaction, KEYS.node("a"))) {
                calls.add("held record");
                return new CompletableFuture<>();
            }
            if (!round) {
                return super.commit(transaction);
            }
            boolean first = onElection == null && !calls.contains("doubtful round");
            calls.add(first ? "doubtful round" : "round");
            if (first) {
                onDoubt.run();
                return CompletableFuture.failedFuture(new IndeterminateWriteException("no answer", null));
            }
            return super.commit(transaction);
        }

        private void atElection() {
            if (onElection != null && rendezvous != null) {
                holdsRecords = true;
                onElection.accept(rendezvous);
            }
        }

        private static boolean writes(Transaction transaction, String key) {
            return transaction.onSuccess().stream()
                    .anyMatch(step ->
                            step instanceof Operation.Put put && put.key().equals(key));
        }
    }
}
