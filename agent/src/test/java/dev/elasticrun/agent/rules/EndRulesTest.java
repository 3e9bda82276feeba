/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EndRulesTest {
    private static final String GONE = "the store is gone";
    private static final String STUCK = "process 7 is stuck";
    private static final Verdict FAILED = new Verdict(false, 3, "too few nodes", List.of());

    @Test
    void verdict_workersRun_stopsThemBeforeItFinishes() {
        AgentFixture agent = AgentFixture.soft(1).working().apply(new AgentEvent.VerdictReached(FAILED));

        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
        assertThat(agent.effects(AgentEffect.Finish.class)).isEmpty();
        assertThat(agent.exits(0, 143).groupGone().effects(AgentEffect.Finish.class))
                .containsExactly(new AgentEffect.Finish(3, FAILED.reason()));
        assertThat(agent.group().failures()).isEmpty();
    }

    @Test
    void verdict_nothingRuns_finishesAtOnce() {
        AgentFixture agent = AgentFixture.hard(1).joined().apply(new AgentEvent.VerdictReached(FAILED));

        assertThat(agent.effects(AgentEffect.Finish.class)).hasSize(1);
    }

    @Test
    void verdict_reportedTwice_finishesOnce() {
        AgentFixture agent = AgentFixture.hard(1)
                .joined()
                .apply(new AgentEvent.VerdictReached(FAILED))
                .apply(new AgentEvent.VerdictReached(FAILED));

        assertThat(agent.effects(AgentEffect.Finish.class)).isEmpty();
    }

    @Test
    void ending_roundArrives_startsNothing() {
        AgentFixture agent = AgentFixture.hard(1).working().apply(new AgentEvent.VerdictReached(FAILED));

        agent.groupGone().round(RoundFixture.round(2).with("a", 1, 1));

        assertThat(agent.last().effects()).isEmpty();
    }

    @Test
    void drain_inARound_waitsForARoundWithoutIt() {
        AgentFixture agent = AgentFixture.soft(1).working().apply(new AgentEvent.DrainRequested(143));

        assertThat(agent.state().phase()).isEqualTo(NodePhase.DRAINING);
        assertThat(agent.effects(AgentEffect.StopGroup.class)).isEmpty();
        agent.round(RoundFixture.round(2).with("b", 0, 1));
        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
        assertThat(agent.groupGone().effects(AgentEffect.Finish.class))
                .containsExactly(new AgentEffect.Finish(143, "drained"));
    }

    @Test
    void drain_noRoundWithoutItInTime_stopsAnyway() {
        AgentFixture agent = AgentFixture.soft(1).working().apply(new AgentEvent.DrainRequested(130));
        AgentEvent due = agent.effects(AgentEffect.Schedule.class).get(0).event();

        assertThat(agent.apply(due).effects(AgentEffect.StopGroup.class)).hasSize(1);
        assertThat(agent.apply(due).effects(AgentEffect.StopGroup.class)).isEmpty();
    }

    @Test
    void drain_inNoRound_stopsAtOnce() {
        AgentFixture agent = AgentFixture.soft(1).prepared().apply(new AgentEvent.DrainRequested(143));

        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
    }

    @Test
    void drain_whileDraining_verdictKeepsTheExitCode() {
        AgentFixture agent = AgentFixture.soft(1)
                .working()
                .apply(new AgentEvent.DrainRequested(143))
                .apply(new AgentEvent.VerdictReached(new Verdict(true, 0, "done", List.of())));

        assertThat(agent.groupGone().effects(AgentEffect.Finish.class))
                .extracting(AgentEffect.Finish::exitCode)
                .containsExactly(143);
    }

    @Test
    void drainOrder_roundIsWithoutIt_stopsAtOnceAndEndsAsByATerm() {
        AgentFixture agent = AgentFixture.soft(1).working();

        agent.round(RoundFixture.round(2).with("b", 0, 1).order("a", Order.Kind.DRAIN, 0));

        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
        assertThat(agent.groupGone().effects(AgentEffect.Finish.class))
                .containsExactly(new AgentEffect.Finish(143, "drained by command"));
    }

    @Test
    void drainOrder_roundStillHasIt_waitsForOneWithoutIt() {
        AgentFixture agent = AgentFixture.soft(1).working();

        agent.round(RoundFixture.round(1).with("a", 0, 1).with("b", 0, 1).order("a", Order.Kind.DRAIN, 0));
        assertThat(agent.effects(AgentEffect.StopGroup.class)).isEmpty();

        agent.round(RoundFixture.round(2).with("b", 0, 1).order("a", Order.Kind.DRAIN, 0));
        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
    }

    @Test
    void leave_noBudgetFromTheStart_isExit1() {
        AgentFixture agent = AgentFixture.softWithoutBudget().working().exits(0, 1);
        agent.round(RoundFixture.round(2).with("b", 0, 1).order("a", Order.Kind.LEAVE, 0));

        assertThat(agent.groupGone().effects(AgentEffect.Finish.class))
                .extracting(AgentEffect.Finish::exitCode)
                .containsExactly(1);
    }

    @Test
    void aborted_beforeJoining_finishesWithItsCode() {
        AgentFixture agent = AgentFixture.hard(1).apply(new AgentEvent.Aborted(5, GONE));

        assertThat(agent.effects(AgentEffect.Finish.class)).containsExactly(new AgentEffect.Finish(5, GONE));
    }

    @Test
    void stuck_whileItsGroupIsStopped_endsTheAgentWithAWordOfIt() {
        AgentFixture agent = AgentFixture.soft(2).working().exits(0, 1).apply(stuck(1, 0));

        assertThat(agent.effects(AgentEffect.Finish.class)).containsExactly(new AgentEffect.Finish(1, STUCK));
        assertThat(agent.logged()).containsExactly("workers.stuck");
        assertThat(agent.group().failures()).anySatisfy(failure -> {
            assertThat(failure.slot()).isEqualTo(1);
            assertThat(failure.message()).isEqualTo(STUCK);
        });
    }

    @Test
    void stuck_othersOfTheNodeRun_stopsThemFirst() {
        AgentFixture agent = AgentFixture.replacing(2).working().exits(0, 1).apply(stuck(0, 0));

        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
        assertThat(agent.apply(stuck(0, 0)).effects(AgentEffect.Finish.class))
                .extracting(AgentEffect.Finish::exitCode)
                .containsExactly(1);
    }

    @Test
    void stuck_whenTheRunHasSucceeded_endsWellAndReportsIt() {
        AgentFixture agent = AgentFixture.soft(1)
                .working()
                .apply(new AgentEvent.VerdictReached(new Verdict(true, 0, "done", List.of())))
                .apply(stuck(0, 0));

        assertThat(agent.effects(AgentEffect.Finish.class)).singleElement().satisfies(finish -> {
            assertThat(finish.exitCode()).isZero();
            assertThat(finish.reason()).startsWith("done; ").endsWith(STUCK);
        });
        assertThat(agent.apply(stuck(0, 0)).effects(AgentEffect.Finish.class)).isEmpty();
    }

    @Test
    void stuck_ofAnEarlierAttempt_isNoNews() {
        AgentFixture agent = AgentFixture.soft(1).working().apply(stuck(0, 7));

        assertThat(agent.last().effects()).isEmpty();
    }

    private static AgentEvent stuck(int slot, int attempt) {
        return new AgentEvent.WorkersStuck(Map.of(slot, attempt), STUCK);
    }
}
