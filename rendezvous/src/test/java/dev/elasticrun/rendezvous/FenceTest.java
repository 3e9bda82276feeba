/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.TransactionResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FenceTest {
    private static final RunKeys KEYS = new RunKeys("run");

    private final SimulatedTime time = new SimulatedTime();
    private final RendezvousStore store = new SimulatedStore(time, new Random(1)).connect(new SimulatedLoop(time));

    @Test
    void write_asCoordinator_isApplied() {
        long node = put(KEYS.node("a"));
        long coordinator = put(KEYS.coordinator());

        assertThat(writes(new Fence(coordinator, "a", node))).isTrue();
    }

    @Test
    void write_anotherIsCoordinator_isRefused() {
        long node = put(KEYS.node("a"));
        long coordinator = put(KEYS.coordinator());

        assertThat(writes(new Fence(coordinator - 1, "a", node))).isFalse();
    }

    @Test
    void write_storeCameBackEmptyAndElectedAtTheSameRevision_isRefused() {
        long node = put(KEYS.node("b"));
        long coordinator = put(KEYS.coordinator());

        assertThat(writes(new Fence(coordinator, "a", node))).isFalse();
    }

    private boolean writes(Fence fence) {
        return commit(new Transaction(
                        fence.and(KEYS), List.of(new Operation.Put(KEYS.round(), new byte[0], 0)), List.of()))
                .succeeded();
    }

    private long put(String key) {
        return commit(new Transaction(List.of(), List.of(new Operation.Put(key, new byte[0], 0)), List.of()))
                .revision();
    }

    private TransactionResult commit(Transaction transaction) {
        List<TransactionResult> results = new ArrayList<>();
        store.commit(transaction).thenAccept(results::add);
        while (results.isEmpty()) {
            assertThat(time.step(Long.MAX_VALUE)).isTrue();
        }
        return results.get(0);
    }
}
