/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import org.junit.jupiter.api.Test;

/** Rounds that an agent never saw as they were sealed may have used its master endpoint. */
final class MissedRoundTest {

    @Test
    void suspended_sealedUnseen_isAcknowledgedAndAnotherMasterIsReserved() {
        AgentFixture agent = AgentFixture.soft(1).working();
        RoundFixture round = RoundFixture.round(2)
                .with("a", 0, 1)
                .master(agent.settings.address(), agent.state().membership().masterPort())
                .suspended();

        agent.round(round);

        assertThat(agent.state().rounds().acknowledged()).isEqualTo(2);
        assertThat(agent.state().workingRound()).isZero();
        assertThat(agent.effects(AgentEffect.ReservePorts.class)).containsExactly(new AgentEffect.ReservePorts(false));
    }

    @Test
    void leftOut_asksForANewRoundAfterAStall_standsBy() {
        AgentFixture agent =
                AgentFixture.soft(1).working().apply(new AgentEvent.Fenced()).apply(new AgentEvent.Restored(true));
        assertThat(agent.state().phase()).isEqualTo(NodePhase.FENCED);

        agent.round(RoundFixture.round(1).with("b", 0, 1).suspended());

        assertThat(agent.state().phase()).isEqualTo(NodePhase.STANDBY);
    }

    @Test
    void freshGroup_soft_reservesAnotherMaster() {
        AgentFixture agent = AgentFixture.soft(1).working().exits(0, 1).groupGone();
        agent.round(RoundFixture.round(2).with("b", 0, 1).order("a", Order.Kind.RESTART, 0));

        agent.later();

        assertThat(agent.effects(AgentEffect.StartGroup.class)).containsExactly(AgentEffect.StartGroup.paused(1));
        assertThat(agent.effects(AgentEffect.ReservePorts.class)).containsExactly(new AgentEffect.ReservePorts(false));
    }
}
