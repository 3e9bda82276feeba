/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.WaitView.Kind;
import dev.elasticrun.agent.WaitView.Surroundings;
import dev.elasticrun.agent.WaitView.Wait;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.AgentFixture;
import dev.elasticrun.agent.rules.GroupState;
import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.worker.contract.UpMessage;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WaitViewTest {
    private static final Surroundings OTHER = new Surroundings("b", false, false);
    private static final Surroundings SELF = new Surroundings("a", true, false);

    @Test
    void launched_waitsForTheStore() {
        assertThat(wait(AgentFixture.soft(2), new Surroundings("", false, false)))
                .contains(new Wait(Kind.STORE, "the store to answer"));
    }

    @Test
    void workersNotReady_areNamed() {
        AgentFixture agent = AgentFixture.soft(3).joined().started().says(1, new UpMessage.Ready(4000));
        assertThat(wait(agent, OTHER))
                .contains(new Wait(Kind.WORKERS_READY, "workers 0 (pid 100), 2 (pid 102) to report READY"));
        agent.says(0, new UpMessage.Ready(4001));
        assertThat(wait(agent, OTHER)).contains(new Wait(Kind.WORKERS_READY, "worker 2 (pid 102) to report READY"));
    }

    @Test
    void manyWorkers_areNotAllNamed() {
        assertThat(wait(AgentFixture.soft(9).joined().started(), OTHER)
                        .orElseThrow()
                        .whom())
                .startsWith("workers 0 (pid 100), ")
                .endsWith(" and 3 more to report READY");
    }

    @Test
    void ready_waitsForTheFirstRound_andNamesTheCoordinator() {
        AgentFixture agent = AgentFixture.soft(1).prepared();
        assertThat(wait(agent, OTHER)).contains(new Wait(Kind.ROUND, "the first round; b is the coordinator"));
        assertThat(wait(agent, new Surroundings("", false, false)))
                .contains(new Wait(Kind.ROUND, "the first round; no coordinator is known"));
        assertThat(wait(agent, SELF)).isEmpty();
    }

    @Test
    void working_waitsForNobody() {
        assertThat(wait(AgentFixture.soft(2).working(), OTHER)).isEmpty();
        assertThat(wait(AgentFixture.hard(2).working(), OTHER)).isEmpty();
    }

    @Test
    void paused_waitsForItsWorkers_thenForTheRound() {
        AgentFixture agent = AgentFixture.soft(2).working();
        agent.round(RoundFixture.round(2).with("a", 0, 2).suspended());
        agent.says(0, new UpMessage.Ack(3, 1, 1));
        assertThat(wait(agent, OTHER)).contains(new Wait(Kind.PAUSE, "worker 1 (pid 101) to acknowledge PAUSE"));
        agent.says(1, new UpMessage.Ack(3, 1, 1));
        assertThat(wait(agent, OTHER))
                .contains(new Wait(Kind.ROUND, "the round after 2 (cause 2); b is the coordinator"));
    }

    @Test
    void leftOutOfTheRound_waitsForAPlace() {
        AgentFixture agent = AgentFixture.soft(1).prepared();
        agent.round(RoundFixture.round(1).with("b", 0, 1).with("c", 0, 1));
        assertThat(wait(agent, OTHER).orElseThrow().whom())
                .isEqualTo("a place in the run: round 1 has 2 nodes; b is the coordinator");
    }

    @Test
    void draining_waitsForTheWorkersThatAreLeft() {
        AgentFixture agent = AgentFixture.soft(2).working();
        agent.apply(new AgentEvent.DrainRequested(143)).later();
        assertThat(agent.group().phase()).isEqualTo(GroupState.Phase.STOPPING);
        agent.dies(0, 143);
        assertThat(wait(agent, OTHER))
                .contains(new Wait(Kind.WORKERS_GONE, "worker 1 (pid 101) to end; KILL comes after 30s"));
    }

    @Test
    void done_waitsForTheOthers() {
        AgentFixture agent = AgentFixture.soft(1).working().allExit(0);
        assertThat(wait(agent, OTHER)).contains(new Wait(Kind.OTHERS_DONE, "the workers of other nodes to end: b"));
    }

    @Test
    void serving_waitsForTheOthersToLeave() {
        AgentFixture agent = AgentFixture.soft(1).working();
        assertThat(wait(agent, new Surroundings("b", false, true)).orElseThrow().kind())
                .isEqualTo(Kind.OTHERS_GONE);
    }

    private static Optional<Wait> wait(AgentFixture agent, Surroundings around) {
        return WaitView.of(agent.state(), agent.settings, around);
    }
}
