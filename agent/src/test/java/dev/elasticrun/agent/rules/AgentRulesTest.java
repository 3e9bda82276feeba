/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.rendezvous.record.NodePhase;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AgentRulesTest {

    @Test
    void launched_soft_startsWorkersBesideTheRendezvous() {
        AgentFixture agent = AgentFixture.soft(2);

        assertThat(agent.group().phase()).isEqualTo(GroupState.Phase.RUNNING);
        assertThat(agent.state().membership().masterPort()).isEqualTo(5000);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
    }

    @Test
    void launched_soft_effectsAreStartAndReserve() {
        AgentSettings settings = AgentFixture.soft(1).settings;

        Transition launched = new AgentRules(settings).onLaunched(AgentState.initial(settings));

        assertThat(launched.effects())
                .containsExactly(AgentEffect.StartGroup.paused(0), new AgentEffect.ReservePorts(false));
    }

    @Test
    void launched_hard_waitsForARoundWithItsPorts() {
        AgentFixture agent = AgentFixture.hard(2);

        assertThat(agent.group().phase()).isEqualTo(GroupState.Phase.PENDING);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.READY);
        assertThat(agent.group().workers()).extracting(WorkerView::port).containsExactly(5001, 5002);
    }

    @Test
    void joined_soft_firstEventIsPause() {
        AgentFixture agent = AgentFixture.soft(1).joined();

        assertThat(agent.effects(AgentEffect.Pause.class))
                .singleElement()
                .satisfies(pause -> assertThat(pause.seq()).isEqualTo(1))
                .satisfies(pause -> assertThat(pause.round()).isZero());
        assertThat(agent.effects(AgentEffect.Schedule.class)).isEmpty();
    }

    @Test
    void joined_again_sendsTheWorkersNothing() {
        AgentFixture agent = AgentFixture.soft(1).joined().joined();

        assertThat(agent.last().effects()).isEmpty();
        assertThat(agent.last().reason()).isNotEmpty();
    }

    @Test
    void masterReserved_hardGroupPending_keepsTheWorkersPorts() {
        AgentFixture agent = AgentFixture.hard(1).apply(new AgentEvent.PortsReserved(7000, List.of()));

        assertThat(agent.state().membership().masterPort()).isEqualTo(7000);
        assertThat(agent.group().workers()).extracting(WorkerView::port).containsExactly(5001);
    }

    @Test
    void portsReserved_hardGroupRuns_leavesItAlone() {
        AgentFixture agent = AgentFixture.hard(1).working().reserve(7000);

        assertThat(agent.group().phase()).isEqualTo(GroupState.Phase.RUNNING);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
        assertThat(agent.state().membership().masterPort()).isEqualTo(7000);
    }

    @Test
    void portsReserved_afterAFailure_stillReportsIt() {
        AgentFixture agent = AgentFixture.hard(1)
                .working()
                .exits(0, 1)
                .round(RoundFixture.round(1).with("a", 0, 1).suspended())
                .groupGone()
                .reserve(7000);

        assertThat(agent.state().toRecord(agent.settings, 1).failures()).hasSize(1);
    }

    @Test
    void record_anyState_reportsTheWorkersOfTheGroup() {
        AgentFixture agent = AgentFixture.soft(2).prepared();

        assertThat(agent.state().toRecord(agent.settings, 9000))
                .satisfies(record -> assertThat(record.phase()).isEqualTo(NodePhase.READY))
                .satisfies(record -> assertThat(record.spec().controlPort()).isEqualTo(9000))
                .satisfies(record -> assertThat(record.group().workers())
                        .extracting(worker -> worker.port())
                        .containsExactly(4000, 4001));
    }
}
