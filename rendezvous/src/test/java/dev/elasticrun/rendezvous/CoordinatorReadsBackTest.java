/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.IndeterminateWriteException;
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
import org.junit.jupiter.api.Test;

/** A coordinator whose write may or may not have arrived decides nothing before it has read what is there. */
final class CoordinatorReadsBackTest {
    private static final String RUN = "run";
    private static final RunKeys KEYS = RunKeys.of(RUN);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedLoop loop = new SimulatedLoop(time);
    private final DoubtfulStore store = new DoubtfulStore(new SimulatedStore(time, new Random(1)).connect(loop));
    private final NodeFixture node = NodeFixture.of("a", 1);

    @Test
    void round_outcomeOfItsWriteIsUnknownAndANodeChanges_isReadBeforeAnythingIsWritten() {
        Rendezvous rendezvous = new Rendezvous(
                store,
                loop,
                RendezvousNode.config(RUN, 1, RendezvousNode.LEASE, Duration.ofMinutes(1)),
                RestartPolicies.byName("soft-no-replace"),
                node.record(),
                "i",
                new SecureRandom(),
                new QuietListener() {});
        // A moment later: the coordinator knows by then that its write has failed.
        store.onDoubt = () -> loop.schedule(
                Duration.ofMillis(10),
                () -> rendezvous.update(node.checkpoint(1).record()));
        loop.execute(rendezvous::start);
        long endNanos = Duration.ofSeconds(10).toNanos();
        while (time.step(endNanos)) {
            // Until that time has come.
        }

        assertThat(store.calls).contains("doubtful round");
        int doubt = store.calls.indexOf("doubtful round");
        assertThat(store.calls.get(doubt + 1)).isEqualTo("all");
    }

    /** Notes writes of rounds and reads of the run; the first write of a round is lost. */
    private static final class DoubtfulStore extends PassingStore {
        private final List<String> calls = new ArrayList<>();
        private Runnable onDoubt = () -> {};

        DoubtfulStore(RendezvousStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<TransactionResult> commit(Transaction transaction) {
            boolean round = transaction.onSuccess().stream()
                    .anyMatch(step ->
                            step instanceof Operation.Put put && put.key().equals(KEYS.round()));
            if (transaction.onSuccess().equals(KEYS.ofCoordinator())) {
                calls.add("all");
            }
            if (!round) {
                return super.commit(transaction);
            }
            boolean first = !calls.contains("doubtful round");
            calls.add(first ? "doubtful round" : "round");
            if (first) {
                onDoubt.run();
                return CompletableFuture.failedFuture(new IndeterminateWriteException("no answer", null));
            }
            return super.commit(transaction);
        }
    }
}
