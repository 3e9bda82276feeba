/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.elasticrun.rendezvous.loop.ThreadEventLoop;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.NodeRecords;
import dev.elasticrun.rendezvous.record.NodeSpec;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.WorkerRecord;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.store.CountingStore;
import dev.elasticrun.rendezvous.store.embedded.EmbeddedEtcdServer;
import dev.elasticrun.rendezvous.store.etcd.EtcdStore;
import dev.elasticrun.rendezvous.store.etcd.EtcdStoreConfig;
import dev.elasticrun.rendezvous.terms.LeaseTimes;
import dev.elasticrun.rendezvous.terms.LocalProtection;
import dev.elasticrun.rendezvous.terms.NodeBounds;
import dev.elasticrun.rendezvous.terms.RendezvousConfig;
import dev.elasticrun.rendezvous.terms.RoundTimes;
import dev.elasticrun.rendezvous.terms.RunKeySource;
import dev.elasticrun.rendezvous.terms.RunTerms;
import dev.elasticrun.rendezvous.terms.StoreContact;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a first round costs: counted, not timed. All agents share one loop and one connection. */
@Tag("once")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class ManyAgentsTest {
    /** Nobody's lease may end because the machine is busy. */
    private static final Duration LEASE = Duration.ofMinutes(2);

    private static final int FEW = 64;
    private static final int MANY = 256;

    private record Cost(long writes, long refusals, long keysRead) {}

    @Test
    void form_manyAgents_writesTwiceForEach() throws InterruptedException {
        Cost many = form(MANY);

        // A registration and an acknowledgement each; beside them the coordinator, and the round.
        assertThat(many.writes()).isBetween(2L * MANY, 2L * MANY + 8);
        // All want to make the run, and some to coordinate it, before they see that another one does.
        assertThat(many.refusals()).isLessThanOrEqualTo(2L * MANY);
    }

    @Test
    void form_fourTimesTheAgents_readsFourTimesAsMuch() throws InterruptedException {
        Cost few = form(FEW);
        Cost many = form(MANY);

        // The coordinator may list all nodes now and then.
        assertThat(many.keysRead()).isLessThanOrEqualTo(MANY / FEW * few.keysRead() + 20L * MANY);
    }

    private static Cost form(int count) throws InterruptedException {
        CountDownLatch placed = new CountDownLatch(count);
        try (EmbeddedEtcdServer server = EmbeddedEtcdServer.start("127.0.0.1", 0, null);
                CountingStore store = new CountingStore(EtcdStore.connect(
                        EtcdStoreConfig.of(List.of(server.endpoint())).withCallDeadline(Duration.ofMinutes(1))));
                ThreadEventLoop loop = new ThreadEventLoop("agents", error -> {})) {
            List<Agent> agents = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                agents.add(new Agent(i, config(count), store, loop, placed));
            }
            loop.execute(() -> agents.forEach(agent -> agent.rendezvous.start()));
            assertThat(placed.await(100, TimeUnit.SECONDS)).isTrue();
            await().atMost(Duration.ofSeconds(60)).until(() -> store.writes.sum() >= 2L * count + 2);
            return new Cost(store.writes.sum(), store.refusals.sum(), store.keysRead.sum());
        }
    }

    private static RendezvousConfig config(int count) {
        return new RendezvousConfig(
                "many",
                new RunTerms(new NodeBounds(count, count), "soft", "none", "off", LocalProtection.copies(2), 0),
                LeaseTimes.of(LEASE),
                new RoundTimes(
                        Duration.ofMinutes(10),
                        Duration.ofMinutes(10),
                        Duration.ZERO,
                        Duration.ZERO,
                        Duration.ofMinutes(1),
                        Duration.ofMinutes(1)),
                new StoreContact("the store", Duration.ofMinutes(2), Duration.ofMinutes(2)),
                new RunKeySource(new byte[] {1}, false));
    }

    /** Is ready at once, and acknowledges rounds. */
    private static final class Agent implements Consumer<RendezvousEvent> {
        private final String nodeId;
        private final CountDownLatch placed;
        private final Rendezvous rendezvous;

        Agent(int index, RendezvousConfig config, CountingStore store, ThreadEventLoop loop, CountDownLatch placed) {
            this.nodeId = String.format("node-%03d", index);
            this.placed = placed;
            this.rendezvous = new Rendezvous(
                    store,
                    loop,
                    config,
                    RestartPolicies.byName("soft"),
                    record(NodePhase.READY, 0),
                    new RunFounder("i-" + index, new SecureRandom()),
                    this);
        }

        private NodeRecord record(NodePhase phase, long acknowledged) {
            NodeSpec spec = new NodeSpec(nodeId, nodeId, "10.0.0.1", 9000, "default", 1);
            return NodeRecords.of(spec, phase, List.of(new WorkerRecord(0, 0, 1, 4000)), 5000, acknowledged);
        }

        @Override
        public void accept(RendezvousEvent event) {
            if (event instanceof RendezvousEvent.RoundChanged changed
                    && changed.round().participant(nodeId).isPresent()) {
                rendezvous.update(record(NodePhase.ACTIVE, changed.round().number()));
                placed.countDown();
            }
        }
    }
}
