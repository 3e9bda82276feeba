/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.rules.AgentEffect;
import dev.elasticrun.agent.rules.AgentFixture;
import dev.elasticrun.agent.rules.AgentMachine;
import dev.elasticrun.agent.rules.AgentRules;
import dev.elasticrun.agent.store.LeaseDoubt;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.sim.SimulatedLoop;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class RendezvousDriverTest {
    private static final RunIdentity RUN = new RunIdentity("run", "i", 3, new byte[] {1});

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedLoop loop = new SimulatedLoop(time);
    private final List<RendezvousEvent> seen = new ArrayList<>();
    private final List<AgentEffect> effects = new ArrayList<>();
    private final List<Runnable> placed = new ArrayList<>();
    private Consumer<RendezvousEvent> next = event -> {};
    private final AgentMachine machine =
            new AgentMachine(loop, new AgentRules(AgentFixture.soft(1).settings), (state, event) -> {}, effects::add);
    private final RendezvousDriver driver = driver(LeaseDoubt.OTHERS_CONTINUE);

    private RendezvousDriver driver(LeaseDoubt doubt) {
        return new RendezvousDriver(machine, doubt, (identity, then) -> placed.add(then), List.of(this::see));
    }

    private void see(RendezvousEvent event) {
        seen.add(event);
        next.accept(event);
    }

    @Test
    void events_whileTheKeyIsPlaced_waitInOrder() {
        RendezvousEvent joined = joined(1);
        deliver(new RendezvousEvent.Waiting("before"), joined, new RendezvousEvent.Elected());
        assertThat(seen).containsExactly(new RendezvousEvent.Waiting("before"));

        place(0);
        deliver(new RendezvousEvent.Waiting("after"));

        assertThat(seen)
                .containsExactly(
                        new RendezvousEvent.Waiting("before"),
                        joined,
                        new RendezvousEvent.Elected(),
                        new RendezvousEvent.Waiting("after"));
    }

    @Test
    void joined_whileTheKeyIsPlaced_isPlacedAfterIt() {
        deliver(joined(1), new RendezvousEvent.Elected(), joined(2), new RendezvousEvent.Waiting("last"));
        assertThat(placed).hasSize(1);

        place(0);
        assertThat(seen).containsExactly(joined(1), new RendezvousEvent.Elected());
        place(1);

        assertThat(seen)
                .containsExactly(
                        joined(1), new RendezvousEvent.Elected(), joined(2), new RendezvousEvent.Waiting("last"));
    }

    @Test
    void event_causedByOneThatWaited_comesBehindThoseThatWait() {
        next = event -> {
            if (event instanceof RendezvousEvent.Elected) {
                driver.accept(new RendezvousEvent.Waiting("third"));
            }
        };
        deliver(joined(1), new RendezvousEvent.Elected(), new RendezvousEvent.Waiting("second"));

        place(0);

        assertThat(seen)
                .endsWith(
                        new RendezvousEvent.Elected(),
                        new RendezvousEvent.Waiting("second"),
                        new RendezvousEvent.Waiting("third"));
    }

    @Test
    void leaseDeadlineAndStore_whileTheKeyIsPlaced_doNotWait() {
        deliver(joined(1), new RendezvousEvent.LeaseDeadline(7), new RendezvousEvent.StoreTrouble("silent"));

        assertThat(seen)
                .containsExactly(new RendezvousEvent.LeaseDeadline(7), new RendezvousEvent.StoreTrouble("silent"));
    }

    @ParameterizedTest
    @EnumSource
    void leaseInDoubt_reachesTheRulesOnlyWhereThereAreOtherNodes(LeaseDoubt doubt) {
        RendezvousDriver one = driver(doubt);
        inLoop(() -> one.accept(joined(1)));
        place(0);

        inLoop(() -> one.accept(new RendezvousEvent.Fenced()));

        assertThat(effects.contains(new AgentEffect.Log(new RunEvent.NodeFenced(0))))
                .isEqualTo(doubt != LeaseDoubt.NO_OTHERS);
        assertThat(seen).endsWith(new RendezvousEvent.Fenced());
    }

    private static RendezvousEvent joined(long life) {
        return new RendezvousEvent.Joined(RUN, life, 5, false);
    }

    private void deliver(RendezvousEvent... events) {
        inLoop(() -> List.of(events).forEach(driver));
    }

    private void place(int index) {
        inLoop(placed.get(index));
    }

    private void inLoop(Runnable task) {
        loop.execute(task);
        time.pass(Duration.ZERO);
    }
}
