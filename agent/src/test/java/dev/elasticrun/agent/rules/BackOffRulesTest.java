/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workers fail to start again and again, and the run has a budget. */
class BackOffRulesTest {

    private static AgentFixture failing() {
        AgentFixture agent = AgentFixture.soft(1).joined();
        for (int failures = 1; failures < 5; failures++) {
            agent.started().exits(0, 1).groupGone().later();
        }
        return agent.started().exits(0, 1).groupGone();
    }

    private static RoundFixture ordered(long command, int generation) {
        return RoundFixture.round(1).with("b", 0, 1).command(command).order("a", Order.Kind.START, generation);
    }

    @Test
    void fiveFailures_budget_waitsForARestart() {
        AgentFixture agent = failing();

        assertThat(agent.state().phase()).isEqualTo(NodePhase.BACKING_OFF);
        assertThat(agent.last().reason())
                .isEqualTo("workers failed to start 5 times in a row: starting them again takes one of the run's"
                        + " restarts");
        assertThat(agent.effects(AgentEffect.Schedule.class)).isEmpty();
    }

    @Test
    void order_start_backsOffAndReportsForHowLong() {
        AgentFixture agent = failing().round(ordered(0, 4));

        assertThat(agent.effects(AgentEffect.Schedule.class))
                .containsExactly(new AgentEffect.Schedule(Duration.ofSeconds(1), new AgentEvent.BackOffOver(4)));
        assertThat(agent.effects(AgentEffect.Log.class))
                .containsExactly(new AgentEffect.Log(
                        new RunEvent.NodeBackingOff("workers failed to start 5 times in a row", 1000, 0, 3)));
        assertThat(agent.state().phase()).isEqualTo(NodePhase.BACKING_OFF);
    }

    @Test
    void order_start_again_isObeyedOnce() {
        AgentFixture agent = failing().round(ordered(0, 4)).round(ordered(1, 4));

        assertThat(agent.effects(AgentEffect.Schedule.class)).isEmpty();
    }

    @Test
    void order_start_ofAnotherGroup_isNotForThisOne() {
        assertThat(failing().round(ordered(0, 3)).effects(AgentEffect.Schedule.class))
                .isEmpty();
    }

    @Test
    void backOffOver_startsFreshWorkers_andTheNextFailureBacksOffLonger() {
        AgentFixture agent = failing().round(ordered(0, 4)).later();

        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
        assertThat(agent.effects(AgentEffect.StartGroup.class)).hasSize(1);

        agent.started().exits(0, 1).groupGone();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.BACKING_OFF);
        agent.round(ordered(1, 5));
        assertThat(agent.effects(AgentEffect.Schedule.class))
                .containsExactly(new AgentEffect.Schedule(Duration.ofSeconds(2), new AgentEvent.BackOffOver(5)));
    }

    @Test
    void backOff_isAtMostThirtyTwoSeconds() {
        AgentFixture agent = failing();
        for (int generation = 4; generation < 12; generation++) {
            agent.round(ordered(generation, generation));
            assertThat(agent.effects(AgentEffect.Schedule.class).get(0).delay())
                    .isLessThanOrEqualTo(Duration.ofSeconds(32));
            agent.later().started().exits(0, 1).groupGone();
        }
    }

    @Test
    void startsAgain_works_countsFromTheBeginning() {
        AgentFixture agent = failing().round(ordered(0, 4)).later().started().ready();

        agent.round(RoundFixture.round(2).with("b", 0, 1).with("a", 5, 1));

        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
        assertThat(agent.group().startFailures()).isEqualTo(StartFailures.NONE);
    }

    @Test
    void order_leave_ends() {
        AgentFixture agent =
                failing().round(RoundFixture.round(1).with("b", 0, 1).order("a", Order.Kind.LEAVE, 4));

        assertThat(agent.effects(AgentEffect.Finish.class))
                .containsExactly(new AgentEffect.Finish(4, "no restart is left for this node"));
    }

    @Test
    void backingOff_membershipLost_staysSo() {
        AgentFixture agent = failing().apply(new AgentEvent.MembershipLost());

        assertThat(agent.state().phase()).isEqualTo(NodePhase.BACKING_OFF);
    }

    @Test
    void hard_threeFailures_waitsForARestart_andGetsAFreshGroup() {
        AgentFixture agent = AgentFixture.hard(1).prepared();
        for (int failures = 0; failures < 3; failures++) {
            RoundFixture round = RoundFixture.round(2 * failures + 1).with("a", failures, 1);
            agent.round(round).exits(0, -1).groupGone();
            agent.round(round.suspended());
            if (failures < 2) {
                agent.reserve(7000 + failures * 10);
            }
        }
        assertThat(agent.state().phase()).isEqualTo(NodePhase.BACKING_OFF);

        agent.round(RoundFixture.round(5).with("a", 2, 1).suspended().order("a", Order.Kind.START, 2))
                .later();

        assertThat(agent.generation()).isEqualTo(3);
        assertThat(agent.effects(AgentEffect.ReservePorts.class)).containsExactly(new AgentEffect.ReservePorts(true));
    }

    @Test
    void replacing_backingOff_replacesOnlyThoseThatEnded() {
        AgentFixture agent = AgentFixture.replacing(2)
                .working()
                .dies(1, 137)
                .round(RoundFixture.round(1)
                        .with("a", 0, 2)
                        .with("b", 0, 1)
                        .suspended()
                        .order("a", Order.Kind.REPLACE, 0));
        for (int failures = 1; failures < 5; failures++) {
            agent.dies(1, 1).later();
        }
        agent.dies(1, 1);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.BACKING_OFF);

        agent.round(ordered(0, agent.generation())).later();

        assertThat(agent.effects(AgentEffect.ReplaceWorkers.class))
                .containsExactly(new AgentEffect.ReplaceWorkers(agent.generation(), List.of(1), true));
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
    }
}
