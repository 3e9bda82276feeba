/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.WorkerRecord;
import dev.elasticrun.worker.contract.UpMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ElasticWorkerRulesTest {

    /** Without the worker of slot 1. */
    private static RoundFixture without(long number) {
        return RoundFixture.round(number).withWorkers("a", 0, 0, -1).with("b", 0, 1);
    }

    private static AgentFixture shrunk() {
        return AgentFixture.elastic(2).working().dies(1, 137).round(without(2));
    }

    /** The time has come to start fresh workers, which the last event put off. */
    private static AgentFixture startsFresh(AgentFixture agent) {
        AgentEvent due = agent.effects(AgentEffect.Schedule.class).stream()
                .map(AgentEffect.Schedule::event)
                .filter(AgentEvent.RestartDue.class::isInstance)
                .findFirst()
                .orElseThrow();
        return agent.apply(due);
    }

    /** A fresh worker was started in slot 1. */
    private static AgentFixture regrowing() {
        return startsFresh(shrunk()).apply(new AgentEvent.WorkerStarted(1, 1, 201));
    }

    @Test
    void failure_theOtherWorksOnAndTheRecordWithholdsTheFailed() {
        AgentFixture agent = AgentFixture.elastic(2).working().dies(1, 137);

        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
        assertThat(agent.state().workingRound()).isEqualTo(1);
        assertThat(agent.last().effects()).isEmpty();
        assertThat(agent.state().toRecord(agent.settings, 1).group().workers())
                .extracting(WorkerRecord::offered)
                .containsExactly(true, false);
    }

    @Test
    void nextRound_theOtherGoesWithItAndAFreshOneIsStartedAfterwards() {
        AgentFixture agent = shrunk();

        assertThat(agent.effects(AgentEffect.Pause.class)).hasSize(1);
        assertThat(agent.effects(AgentEffect.Work.class)).hasSize(1);
        assertThat(agent.effects(AgentEffect.ReplaceWorkers.class)).isEmpty();
        assertThat(startsFresh(agent).effects(AgentEffect.ReplaceWorkers.class))
                .containsExactly(new AgentEffect.ReplaceWorkers(1, List.of(1), true));
        assertThat(agent.state().workingRound()).isEqualTo(2);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
    }

    @Test
    void leftoversOfTheFailed_areAwaited() {
        AgentFixture agent = AgentFixture.elastic(2).working().exits(1, 137).round(without(2));

        assertThat(agent.effects(AgentEffect.Schedule.class))
                .extracting(AgentEffect.Schedule::event)
                .doesNotHaveAnyElementsOfTypes(AgentEvent.RestartDue.class);
        assertThat(startsFresh(agent.gone(1)).effects(AgentEffect.ReplaceWorkers.class))
                .hasSize(1);
    }

    @Test
    void freshWorker_isOfferedWhenItIsReady() {
        AgentFixture agent = regrowing();
        assertThat(agent.state().toRecord(agent.settings, 1).group().workers())
                .extracting(WorkerRecord::offered)
                .containsExactly(true, false);

        agent.reports(1, new UpMessage.Ready(4711));

        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
        assertThat(agent.state().toRecord(agent.settings, 1).group().workers())
                .containsExactly(new WorkerRecord(0, 0, 100, 4000), new WorkerRecord(1, 1, 201, 4711));
    }

    @Test
    void roundOfAnotherCause_whileTheFreshWorkerLoads_isWorkedIn() {
        AgentFixture agent = regrowing().round(without(3));

        assertThat(agent.effects(AgentEffect.Work.class)).hasSize(1);
        assertThat(agent.state().workingRound()).isEqualTo(3);
    }

    @Test
    void roundWithAWorkerThatHasFailed_isNotWorkedInAndAnotherIsAwaited() {
        AgentFixture agent = AgentFixture.elastic(2)
                .working()
                .dies(1, 137)
                .round(RoundFixture.round(2).with("a", 0, 2).with("c", 0, 1));

        assertThat(agent.effects(AgentEffect.Pause.class)).hasSize(1);
        assertThat(agent.effects(AgentEffect.Work.class)).isEmpty();
        assertThat(agent.state().rounds().acknowledged()).isEqualTo(2);
        assertThat(agent.round(without(3)).effects(AgentEffect.Work.class)).hasSize(1);
    }

    @Test
    void freshWorkerFailsAtItsStart_othersWorkOnAndItIsStartedAgainLater() {
        AgentFixture agent = regrowing().dies(1, 1);

        assertThat(agent.state().workingRound()).isEqualTo(2);
        assertThat(agent.state().group().startFailures().own()).isOne();
        assertThat(startsFresh(agent).effects(AgentEffect.ReplaceWorkers.class))
                .containsExactly(new AgentEffect.ReplaceWorkers(2, List.of(1), true));
    }

    @Test
    void freshWorkerFailsAtItsStart_manyTimes_theNodeStays() {
        AgentFixture agent = regrowing();
        for (int attempt = 2; attempt < 20; attempt++) {
            startsFresh(agent.dies(1, 1)).apply(new AgentEvent.WorkerStarted(attempt, 1, 300 + attempt));
        }

        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
        assertThat(agent.state().isEnding()).isFalse();
        assertThat(agent.reports(1, new UpMessage.Ready(4711)).state().group().startFailures())
                .isEqualTo(StartFailures.NONE);
    }

    @Test
    void allWorkersFail_freshOnesAreStartedAndTheNodeJoinsWithBoth() {
        AgentFixture agent = AgentFixture.elastic(2).working().dies(0, 137).dies(1, 137);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);

        startsFresh(agent.round(RoundFixture.round(2).with("b", 0, 1).order("a", Order.Kind.REPLACE, 0)));
        assertThat(agent.effects(AgentEffect.ReplaceWorkers.class))
                .containsExactly(new AgentEffect.ReplaceWorkers(1, List.of(0, 1), true));
        agent.started().reports(0, new UpMessage.Ready(4711));
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
        agent.reports(1, new UpMessage.Ready(4712));
        assertThat(agent.state().phase()).isEqualTo(NodePhase.READY);
    }

    @Test
    void orderToShrink_noFreshWorkerIsStarted() {
        AgentFixture agent =
                AgentFixture.elastic(2).working().dies(1, 137).round(without(2).order("a", Order.Kind.SHRINK, 0));

        assertThat(agent.effects(AgentEffect.Work.class)).hasSize(1);
        assertThat(agent.effects(AgentEffect.Schedule.class))
                .extracting(AgentEffect.Schedule::event)
                .doesNotHaveAnyElementsOfTypes(AgentEvent.RestartDue.class);
    }

    @Test
    void orderToShrink_lastWorkerEndsInNoRound_theAgentEnds() {
        AgentFixture agent = AgentFixture.elastic(2)
                .working()
                .dies(1, 137)
                .round(RoundFixture.round(2).with("b", 0, 1).order("a", Order.Kind.SHRINK, 0))
                .dies(0, 137);

        assertThat(agent.state().ending())
                .extracting(AgentState.Ending::reason)
                .isEqualTo("no restart is left for this node");
    }

    @Test
    void workerEndsWell_whileOthersWork_recordHasTheLastRoundItWorkedIn() {
        AgentFixture agent = AgentFixture.elastic(2).working().reports(0, new UpMessage.Resumed(1, 0, 5, 0, 0));
        agent.round(RoundFixture.round(2).with("a", 0, 2).with("b", 0, 1)).exits(1, 0);

        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
        assertThat(agent.state().toRecord(agent.settings, 1).group().workers())
                .extracting(WorkerRecord::lastWorked)
                .containsExactly(0L, 1L);
    }

    @Test
    void workersOfTheRoundEndWell_whileAFreshOneLoads_theNodeIsDone() {
        AgentFixture agent = regrowing().exits(0, 0);

        assertThat(agent.state().phase()).isEqualTo(NodePhase.DONE);
        assertThat(agent.dies(1, 143).effects(AgentEffect.ReplaceWorkers.class)).isEmpty();
    }

    @Test
    void allWorkersEndWell_beforeAnyRound_theNodeIsDoneAndTheRemedyIsNamed() {
        AgentFixture agent = AgentFixture.elastic(2).joined().started().exits(0, 0);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);

        agent.exits(1, 0);

        assertThat(agent.state().phase()).isEqualTo(NodePhase.DONE);
        assertThat(agent.last().reason()).contains("--restart-policy hard");
    }

    @Test
    void orderToRestart_givenForAnEarlierGeneration_appliesToTheWorkersThatItMeant() {
        AgentFixture agent = regrowing().round(without(2).suspended().order("a", Order.Kind.RESTART, 0));

        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
        assertThat(agent.exits(0, 143).exits(1, 143).groupGone().effects(AgentEffect.StartGroup.class))
                .extracting(AgentEffect.StartGroup::generation)
                .containsExactly(2);
    }

    @Test
    void spare_workerWithARankFails_theNodeOffersTheSpare() {
        AgentFixture agent = AgentFixture.withSpare(2).working();

        agent.dies(0, 137)
                .round(RoundFixture.round(2).withSpare("a", 0, -1, 0, 0).with("b", 0, 1));

        assertThat(agent.effects(AgentEffect.Work.class)).hasSize(1);
        assertThat(agent.state().workingRound()).isEqualTo(2);
        assertThat(startsFresh(agent).effects(AgentEffect.ReplaceWorkers.class))
                .containsExactly(new AgentEffect.ReplaceWorkers(1, List.of(0), true));
    }

    @Test
    void spare_isStillLoading_theNodeJoinsWithoutIt() {
        AgentFixture agent = AgentFixture.withSpare(2).joined().started();
        agent.reports(0, new UpMessage.Ready(4000));
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);

        agent.reports(2, new UpMessage.Ready(4002));

        assertThat(agent.state().phase()).isEqualTo(NodePhase.READY);
    }
}
