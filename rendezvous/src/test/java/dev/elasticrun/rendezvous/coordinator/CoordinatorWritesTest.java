/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.TransactionResult;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a coordinator may not write any more. */
final class CoordinatorWritesTest {
    private static final RunKeys KEYS = RunKeys.of("run");

    private final SimulatedTime time = new SimulatedTime();
    private final RendezvousStore store = new SimulatedStore(time, new Random(1)).connect(new SimulatedLoop(time));

    @Test
    void round_whileElected_isWritten() {
        assertThat(writesRound(elected("a"), 0)).isTrue();
    }

    @Test
    void round_anotherWasElected_isRefused() {
        Fence fence = elected("a");

        assertThat(writesRound(new Fence(fence.coordinator() - 1, "a", fence.node()), 0))
                .isFalse();
    }

    @Test
    void round_storeCameBackEmptyAndElectedAnotherAtTheSameRevision_isRefused() {
        Fence another = elected("b");

        assertThat(writesRound(new Fence(another.coordinator(), "a", another.node()), 0))
                .isFalse();
    }

    @Test
    void round_anotherThanTheOneThatWasPlannedFrom_isRefused() {
        Fence fence = elected("a");
        long before = put(KEYS.round());
        put(KEYS.round());

        assertThat(writesRound(fence, before)).isFalse();
    }

    @Test
    void round_aVerdictArrivedThatWasGivenUp_isRefused() {
        Fence fence = elected("a");
        put(KEYS.verdict());

        assertThat(writesRound(fence, 0)).isFalse();
    }

    @Test
    void verdict_thereIsOne_isRefused() {
        CoordinatorWrites writes = new CoordinatorWrites(store, KEYS, "i", 0, elected("a"));

        assertThat(get(writes.verdict(Verdict.success("done"), true, null)).succeeded())
                .isTrue();
        assertThat(get(writes.verdict(Verdict.success("done"), true, null)).succeeded())
                .isFalse();
    }

    private Fence elected(String nodeId) {
        long node = put(KEYS.node(nodeId));
        return new Fence(put(KEYS.coordinator()), nodeId, node);
    }

    private boolean writesRound(Fence fence, long roundRevision) {
        CoordinatorWrites writes = new CoordinatorWrites(store, KEYS, "i", 0, fence);
        Operation.Get check = new Operation.Get(KeyRange.prefix(KEYS.nodes()));
        return get(writes.round(Round.NONE, new byte[0], 0, roundRevision, null, check))
                .succeeded();
    }

    private long put(String key) {
        return get(store.commit(new Transaction(List.of(), List.of(new Operation.Put(key, new byte[0], 0)), List.of())))
                .revision();
    }

    private TransactionResult get(CompletableFuture<TransactionResult> future) {
        while (!future.isDone()) {
            assertThat(time.step(Long.MAX_VALUE)).isTrue();
        }
        return future.join();
    }
}
