/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.context.FailedWorker;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.WorkerRecord;
import dev.elasticrun.worker.contract.PauseKind;
import dev.elasticrun.worker.contract.UpMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReplaceRulesTest {

    private static RoundFixture ordered(int generation) {
        return RoundFixture.round(1)
                .with("a", generation, 2)
                .with("b", 0, 1)
                .suspended()
                .order("a", Order.Kind.REPLACE, generation);
    }

    /** Slot 1 of two failed and was replaced by order; the fresh worker is READY. */
    private static AgentFixture replaced() {
        return AgentFixture.replacing(2)
                .working()
                .dies(1, 137)
                .round(ordered(0))
                .apply(new AgentEvent.WorkerStarted(1, 1, 201))
                .reports(1, new UpMessage.Ready(4711));
    }

    @Test
    void failure_atWork_theOthersRunOnAndTheCoordinatorIsAsked() {
        AgentFixture agent = AgentFixture.replacing(2).working().dies(1, 137);

        assertThat(agent.group().running()).isTrue();
        assertThat(agent.state().workingRound()).isEqualTo(1);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
        assertThat(agent.group().failures()).extracting(Failure::slot).containsExactly(1);
        assertThat(agent.last().effects()).isEmpty();
    }

    @Test
    void ordered_othersArePausedAndOnlyTheFailedIsStarted() {
        AgentFixture agent = AgentFixture.replacing(2).working().dies(1, 137).round(ordered(0));

        assertThat(agent.effects(AgentEffect.Pause.class))
                .extracting(AgentEffect.Pause::kind)
                .containsExactly(PauseKind.REPLACE);
        assertThat(agent.effects(AgentEffect.ReplaceWorkers.class))
                .containsExactly(new AgentEffect.ReplaceWorkers(1, List.of(1), true));
        assertThat(agent.effects(AgentEffect.StopGroup.class)).isEmpty();
        assertThat(agent.generation()).isEqualTo(1);
        assertThat(agent.state().toRecord(agent.settings, 1).group().workers())
                .containsExactly(new WorkerRecord(0, 0, 100, 4000), new WorkerRecord(1, 1, 0, 0));
    }

    @Test
    void ordered_leftoversStillThere_startsWhenTheyAreGone() {
        AgentFixture agent = AgentFixture.replacing(2).working().exits(1, 137).round(ordered(0));

        assertThat(agent.effects(AgentEffect.Pause.class)).hasSize(1);
        assertThat(agent.effects(AgentEffect.ReplaceWorkers.class)).isEmpty();
        assertThat(agent.gone(1).effects(AgentEffect.ReplaceWorkers.class)).hasSize(1);
    }

    @Test
    void freshWorkerReady_nodeIsReadyAndWorksInTheNextRound() {
        AgentFixture agent = replaced();

        assertThat(agent.state().phase()).isEqualTo(NodePhase.READY);
        agent.round(RoundFixture.round(2).withWorkers("a", 1, 0, 1).with("b", 0, 1));

        assertThat(agent.effects(AgentEffect.Work.class)).hasSize(1);
        assertThat(agent.effects(AgentEffect.Pause.class)).isEmpty();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
        assertThat(agent.state().group().startFailures().total()).isZero();
    }

    @Test
    void peerOfAFailedNode_isPausedForReplacement() {
        AgentFixture agent = AgentFixture.replacing(2)
                .working()
                .round(RoundFixture.round(1)
                        .with("a", 0, 2)
                        .with("b", 0, 1)
                        .suspended()
                        .order("b", Order.Kind.REPLACE, 0));

        assertThat(agent.effects(AgentEffect.Pause.class))
                .extracting(AgentEffect.Pause::kind)
                .containsExactly(PauseKind.REPLACE);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
    }

    @Test
    void freshWorkerFails_beforeReady_startsAgainAfterABackOffUnasked_andGivesUpWithoutBudget() {
        AgentFixture agent = AgentFixture.withoutBudget(true, FailedWorker.IS_REPLACED, 2)
                .working()
                .dies(1, 137)
                .round(ordered(0));
        for (int failures = 1; failures < 5; failures++) {
            agent.dies(1, 1);
            AgentEvent again = agent.effects(AgentEffect.Schedule.class).get(0).event();
            assertThat(again).isEqualTo(new AgentEvent.RestartDue(failures));
            assertThat(agent.apply(again).effects(AgentEffect.ReplaceWorkers.class))
                    .containsExactly(new AgentEffect.ReplaceWorkers(failures + 1, List.of(1), true));
        }
        agent.dies(1, 1);

        assertThat(agent.state().phase()).isEqualTo(NodePhase.BROKEN);
    }

    @Test
    void lastWorkerReady_anotherFailedMeanwhile_nodeIsNotReady() {
        AgentFixture agent = AgentFixture.replacing(2)
                .joined()
                .started()
                .reports(0, new UpMessage.Ready(4000))
                .exits(0, 1)
                .reports(1, new UpMessage.Ready(4001));

        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
    }

    @Test
    void neighbourFails_duringReplacement_isReplacedTooUnasked() {
        AgentFixture agent = AgentFixture.replacing(2).working().dies(1, 137).round(ordered(0));

        agent.dies(0, 139);

        assertThat(agent.effects(AgentEffect.ReplaceWorkers.class))
                .containsExactly(new AgentEffect.ReplaceWorkers(2, List.of(0), true));
        assertThat(agent.group().workers()).extracting(WorkerView::attempt).containsExactly(2, 1);
        assertThat(agent.state().group().startFailures().total()).isZero();
    }

    @Test
    void failure_ofTheReplacementAtWork_waitsForOrdersAgain() {
        AgentFixture agent =
                replaced().round(RoundFixture.round(2).withWorkers("a", 1, 0, 1).with("b", 0, 1));

        agent.dies(1, 137);

        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
        assertThat(agent.effects(AgentEffect.ReplaceWorkers.class)).isEmpty();
        assertThat(agent.group().failures()).extracting(Failure::attempt).containsExactly(1);
    }

    @Test
    void standbyWorkerFails_isReplacedUnasked() {
        AgentFixture agent = AgentFixture.replacing(2)
                .working()
                .round(RoundFixture.round(2).with("b", 0, 1))
                .dies(0, 1);

        assertThat(agent.effects(AgentEffect.ReplaceWorkers.class)).hasSize(1);
    }

    @Test
    void failure_beforeTheRunIsJoined_firstEventComesWithTheJoin() {
        AgentFixture agent = AgentFixture.replacing(2).started().dies(0, 1);
        agent.apply(agent.effects(AgentEffect.Schedule.class).get(0).event());

        assertThat(agent.effects(AgentEffect.ReplaceWorkers.class))
                .containsExactly(new AgentEffect.ReplaceWorkers(1, List.of(0), false));
        AgentEffect.Pause first =
                agent.joined().effects(AgentEffect.Pause.class).get(0);
        assertThat(first.seq()).isEqualTo(1);
        assertThat(agent.group().workers())
                .extracting(WorkerView::earlierEvents)
                .containsOnly(0L);
    }

    @Test
    void pauseExpired_silentWorker_isKilledAndReplacedAlone() {
        AgentFixture agent = AgentFixture.replacing(2)
                .working()
                .round(RoundFixture.round(1)
                        .with("a", 0, 2)
                        .with("b", 0, 1)
                        .suspended()
                        .order("b", Order.Kind.REPLACE, 0));
        AgentEvent.PauseExpired expired = (AgentEvent.PauseExpired)
                agent.effects(AgentEffect.Schedule.class).get(0).event();

        agent.reports(0, new UpMessage.Ack(expired.seq(), 3, 1)).apply(expired);

        assertThat(agent.effects(AgentEffect.KillWorker.class)).containsExactly(new AgentEffect.KillWorker(1, 0));
        assertThat(agent.group().failures()).extracting(Failure::slot).containsExactly(1);
        agent.exits(1, 137);
        assertThat(agent.group().failures()).hasSize(1);
        assertThat(agent.gone(1).effects(AgentEffect.ReplaceWorkers.class)).isEmpty();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
        agent.round(RoundFixture.round(1)
                .with("a", 0, 2)
                .with("b", 0, 1)
                .suspended()
                .order("a", Order.Kind.REPLACE, 0)
                .order("b", Order.Kind.REPLACE, 0));
        assertThat(agent.effects(AgentEffect.ReplaceWorkers.class))
                .containsExactly(new AgentEffect.ReplaceWorkers(1, List.of(1), true));
    }

    @Test
    void pauseExpired_freshWorkerThatNeverGotThePause_isNotToBlame() {
        AgentFixture agent = AgentFixture.replacing(2).working().dies(1, 137).round(ordered(0));
        AgentEvent.PauseExpired expired = (AgentEvent.PauseExpired)
                agent.effects(AgentEffect.Schedule.class).get(0).event();
        agent.apply(new AgentEvent.WorkerStarted(1, 1, 201)).reports(1, new UpMessage.Ready(4711));

        agent.apply(expired);

        assertThat(agent.effects(AgentEffect.KillWorker.class)).containsExactly(new AgentEffect.KillWorker(0, 0));
    }

    @Test
    void acknowledgement_ofAFreshWorkersOwnCount_isThatOfTheGroupsEvent() {
        AgentFixture agent = replaced();
        long events = agent.group().eventSeq();

        agent.reports(1, new UpMessage.Ack(1, 0, 1));

        assertThat(agent.group().workers().get(1).acknowledged()).isEqualTo(events);
    }

    @Test
    void orderedToRestart_aHealthyNode_stopsAllAndStartsAfresh() {
        AgentFixture agent = AgentFixture.replacing(2)
                .working()
                .round(RoundFixture.round(1).suspended().order("a", Order.Kind.RESTART, 0));

        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
        agent.exits(0, 143).exits(1, 143).groupGone();
        assertThat(agent.group().failures()).isEmpty();
        assertThat(agent.effects(AgentEffect.StartGroup.class)).containsExactly(AgentEffect.StartGroup.paused(1));
    }

    @Test
    void placeLost_whileWaitingForOrders_isReplacedUnasked() {
        AgentFixture agent = AgentFixture.replacing(2)
                .working()
                .dies(1, 1)
                .apply(new AgentEvent.MembershipLost())
                .joined(2)
                .round(RoundFixture.round(2).with("b", 0, 1));

        assertThat(agent.effects(AgentEffect.ReplaceWorkers.class)).hasSize(1);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
    }
}
