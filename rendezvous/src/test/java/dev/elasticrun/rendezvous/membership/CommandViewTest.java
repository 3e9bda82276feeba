/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.codec.CommandCodec;
import dev.elasticrun.rendezvous.codec.RecordCodec;
import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.NodeFixture;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.CountingStore;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.view.RunStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class CommandViewTest {
    private static final RunKeys KEYS = RunKeys.of("run");
    private static final Duration PERIOD = Duration.ofSeconds(3);
    private static final Duration MOMENT = Duration.ofSeconds(1);
    private static final Command DRAIN = Command.drain("r", "b", false, "alice").numbered(3);
    private static final Command SCALE = Command.scale("r", 1, 2, false, "bob").numbered(3);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedStore cluster = new SimulatedStore(time, new Random(1));
    private final SimulatedLoop loop = new SimulatedLoop(time);
    private final CountingStore store = new CountingStore(cluster.connect(loop));
    private final List<Optional<CommandResult>> reported = new ArrayList<>();

    @Test
    void settled_coordinatorAnswers_isReportedOnce() {
        put(KEYS.command(3), CommandCodec.encode(SCALE, "i"));
        CommandView view = follow(SCALE);
        pass(MOMENT);

        put(KEYS.command(4), CommandCodec.encode(DRAIN.numbered(4), "i"));
        settle(SCALE);
        pass(MOMENT);

        assertThat(reported).containsExactly(Optional.empty(), Optional.of(new CommandResult(SCALE, true, "yes", 7)));
        assertThat(view.settled()).contains(new CommandResult(SCALE, true, "yes", 7));
    }

    @Test
    void settled_watchBreaksOrIsDeaf_isKnownAllTheSame() {
        put(KEYS.command(3), CommandCodec.encode(SCALE, "i"));
        CommandView view = follow(SCALE);
        pass(MOMENT);
        cluster.deafenWatches();

        settle(SCALE);
        pass(PERIOD.multipliedBy(2));

        assertThat(view.settled()).isPresent();
    }

    @Test
    void settled_recordIsNone_isAsIfItWaited() {
        put(KEYS.command(3), new byte[] {1, 2, 3});
        CommandView view = follow(SCALE);
        pass(MOMENT);

        assertThat(view.settled()).isEmpty();
    }

    @Test
    void nodes_ofADrain_areTheOneThatLeaves() {
        put(KEYS.node("a"), RecordCodec.encode(NodeFixture.of("a", 1).record(), "i"));
        put(KEYS.node("b"), RecordCodec.encode(NodeFixture.of("b", 2).record(), "i"));
        CommandView drain = follow(DRAIN);
        CommandView scale = follow(SCALE);
        pass(MOMENT);
        assertThat(inLoop(drain)).as("not looked at before somebody asks").isEmpty();
        inLoop(scale);
        pass(MOMENT);

        assertThat(names(drain)).containsExactly("b");
        assertThat(names(scale)).containsExactly("a", "b");
        store.commit(
                new Transaction(List.of(), List.of(new Operation.Delete(KeyRange.key(KEYS.node("b")))), List.of()));
        pass(MOMENT);
        assertThat(names(drain)).isEmpty();
        assertThat(names(scale)).containsExactly("a");
    }

    @Test
    void follow_nothingHappens_asksTheStoreForNextToNothing() {
        for (int node = 0; node < 100; node++) {
            put(
                    KEYS.node("n" + node),
                    RecordCodec.encode(NodeFixture.of("n" + node, node + 1).record(), "i"));
        }
        CommandView view = follow(SCALE);
        inLoop(view);
        pass(MOMENT);
        store.keysRead.reset();

        pass(PERIOD.multipliedBy(20));

        assertThat(store.keysRead.sum()).isZero();
        loop.execute(view::close);
        pass(PERIOD);
        long before = time.posted();
        pass(PERIOD.multipliedBy(20));
        assertThat(time.posted()).as("what is done when nobody waits any more").isEqualTo(before);
    }

    private CommandView follow(Command command) {
        CommandView[] made = new CommandView[1];
        made[0] = new CommandView(
                new RunStore(store, loop, KEYS), PERIOD, command, () -> reported.add(made[0].settled()));
        loop.execute(made[0]::start);
        return made[0];
    }

    private void settle(Command command) {
        put(KEYS.command(3), CommandCodec.encode(new CommandResult(command, true, "yes", 7), "i"));
    }

    private List<String> names(CommandView view) {
        return inLoop(view).orElseThrow().stream().map(NodeRecord::nodeId).toList();
    }

    private Optional<List<NodeRecord>> inLoop(CommandView view) {
        List<Optional<List<NodeRecord>>> found = new ArrayList<>();
        loop.execute(() -> found.add(view.nodes()));
        pass(Duration.ZERO);
        return found.get(0);
    }

    private void put(String key, byte[] value) {
        store.commit(new Transaction(List.of(), List.of(new Operation.Put(key, value, 0)), List.of()));
        pass(Duration.ofMillis(100));
    }

    private void pass(Duration duration) {
        long endNanos = time.nowNanos() + duration.toNanos();
        while (time.step(endNanos)) {
            assertThat(time.posted()).isLessThan(100_000);
        }
    }
}
