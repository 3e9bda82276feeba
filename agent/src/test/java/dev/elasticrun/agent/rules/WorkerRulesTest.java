/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.context.FailedWorker;
import dev.elasticrun.agent.context.RetryLimits;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.record.HeldVersion;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.PeerLost;
import dev.elasticrun.rendezvous.record.WorkerRecord;
import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WorkerRulesTest {

    @Test
    void ready_notAllWorkers_nodeIsStillStarting() {
        AgentFixture agent = AgentFixture.soft(2).joined().started().reports(0, new UpMessage.Ready(4000));

        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
        assertThat(agent.reports(1, new UpMessage.Ready(4001)).state().phase()).isEqualTo(NodePhase.READY);
    }

    @Test
    void message_ofAnOlderGroup_isIgnored() {
        AgentFixture agent = AgentFixture.soft(1).joined().started();
        AgentState before = agent.state();

        agent.apply(new AgentEvent.WorkerReported(7, 0, new UpMessage.Ready(4000)));
        assertThat(agent.state()).isEqualTo(before);
        agent.apply(new AgentEvent.WorkerStarted(7, 0, 5));
        assertThat(agent.state()).isEqualTo(before);
    }

    @Test
    void failure_softAtWork_stopsTheNodesWorkersAndWaitsForOrders() {
        AgentFixture agent = AgentFixture.soft(2).working().exits(1, 137);

        assertThat(agent.effects(AgentEffect.StopGroup.class))
                .containsExactly(new AgentEffect.StopGroup(0, AgentFixture.GRACE));
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
        assertThat(agent.state().workingRound()).isZero();
        assertThat(agent.logged()).containsExactly("worker.exited", "worker.failed");
        Failure failure = agent.group().failures().get(0);
        assertThat(failure.rank()).isEqualTo(1);
        assertThat(failure.round()).isEqualTo(1);
        assertThat(failure.exitCode()).isEqualTo(137);
        assertThat(failure.collateral()).isFalse();

        agent.exits(0, 143).groupGone();
        assertThat(agent.group().failures()).hasSize(1);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
        assertThat(agent.effects(AgentEffect.StartGroup.class)).isEmpty();
    }

    @Test
    void ordered_survivorsGoOn_startsAFreshGroupPausedFirstAMomentLater() {
        AgentFixture agent = AgentFixture.soft(1).working().exits(0, 1).groupGone();

        agent.round(RoundFixture.round(2).with("b", 0, 1).order("a", Order.Kind.RESTART, 0));
        assertThat(agent.effects(AgentEffect.StartGroup.class)).isEmpty();
        assertThat(agent.effects(AgentEffect.Schedule.class))
                .containsExactly(new AgentEffect.Schedule(Duration.ofMillis(100), new AgentEvent.RestartDue(0)));
        agent.later();

        assertThat(agent.generation()).isEqualTo(1);
        assertThat(agent.last().effects().get(0)).isEqualTo(AgentEffect.StartGroup.paused(1));
        assertThat(agent.effects(AgentEffect.Pause.class)).hasSize(1);
        assertThat(agent.state().toRecord(agent.settings, 1).failures()).hasSize(1);
    }

    @Test
    void ordered_groupStillStopping_startsTheFreshGroupOnceItIsGone() {
        AgentFixture agent = AgentFixture.soft(1).working().exits(0, 1);

        agent.round(RoundFixture.round(2).with("b", 0, 1).order("a", Order.Kind.RESTART, 0));
        assertThat(agent.effects(AgentEffect.StartGroup.class)).isEmpty();
        agent.groupGone();
        assertThat(agent.effects(AgentEffect.StartGroup.class)).isEmpty();
        agent.later();

        assertThat(agent.effects(AgentEffect.StartGroup.class)).containsExactly(AgentEffect.StartGroup.paused(1));
    }

    @Test
    void ordered_nobodyGoesOn_startsAFreshGroupAtOnce() {
        AgentFixture agent = AgentFixture.soft(1).working().exits(0, 1).groupGone();

        agent.round(RoundFixture.round(1).with("b", 0, 1).suspended().order("a", Order.Kind.RESTART, 0));

        assertThat(agent.effects(AgentEffect.StartGroup.class)).containsExactly(AgentEffect.StartGroup.paused(1));
    }

    @Test
    void ordered_byTwoRounds_startsOneFreshGroup() {
        AgentFixture agent = AgentFixture.soft(1).working().exits(0, 1).groupGone();
        agent.round(RoundFixture.round(2).with("b", 0, 1).order("a", Order.Kind.RESTART, 0));
        AgentEffect.Schedule first = agent.effects(AgentEffect.Schedule.class).get(0);
        agent.round(RoundFixture.round(3).with("b", 0, 1).order("a", Order.Kind.RESTART, 0));
        AgentEffect.Schedule second = agent.effects(AgentEffect.Schedule.class).get(0);

        agent.apply(first.event()).apply(second.event());

        assertThat(agent.generation()).isEqualTo(1);
        assertThat(agent.last().effects()).isEmpty();
    }

    @Test
    void failed_placeLostMeanwhile_startsAFreshGroupUnasked() {
        AgentFixture agent = AgentFixture.soft(1)
                .working()
                .exits(0, 1)
                .apply(new AgentEvent.MembershipLost())
                .joined(2)
                .groupGone();

        assertThat(agent.effects(AgentEffect.StartGroup.class)).containsExactly(AgentEffect.StartGroup.paused(1));
    }

    @Test
    void failed_standbyThatOnceWorked_startsAFreshGroupUnasked() {
        AgentFixture agent =
                AgentFixture.soft(1).working().round(RoundFixture.round(2).with("b", 0, 1));

        agent.exits(0, 1).groupGone();

        assertThat(agent.effects(AgentEffect.StartGroup.class)).containsExactly(AgentEffect.StartGroup.paused(1));
    }

    @Test
    void failure_workersOwnMessage_isTheCause() {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.Failure("bad row", "at X"));

        Failure failure = agent.exits(0, 1).group().failures().get(0);

        assertThat(failure.message()).isEqualTo("bad row");
        assertThat(failure.stack()).isEqualTo("at X");
        assertThat(failure.lastStderr()).containsExactly("last words");
    }

    /** The kind is known where the failure is found: no word of a worker makes it another one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1   | EXIT_CODE     | CUDA out of memory. Tried to allocate 2 GiB    | at x | EXCEPTION",
                "137 | SIGNAL        | CUDA out of memory: the kernel killed my child | ''   | SIGNAL",
                "137 | SIGNAL        | hang: the other side does not answer           | ''   | SIGNAL",
                "137 | OUT_OF_MEMORY | CUDA out of memory                             | at x | OUT_OF_MEMORY",
                "1   | EXIT_CODE     | no acknowledgement of PAUSE                    | ''   | EXIT_CODE",
            })
    void failure_kind_isThatOfItsEnd_notOfTheWorkersOwnWords(
            int exitCode, FailureKind end, String words, String stack, FailureKind expected) {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.Failure(words, stack));

        Failure failure = agent.ends(0, exitCode, Failure.Evidence.of(end, "end"))
                .group()
                .failures()
                .get(0);

        assertThat(failure.kind()).isEqualTo(expected);
        assertThat(failure.message()).isEqualTo(end == FailureKind.OUT_OF_MEMORY ? "end" : words);
    }

    @Test
    void failure_hang_isOneWhateverTheWorkerReportsOfIt() {
        Failure.Evidence hang =
                new Failure.Evidence(FailureKind.HANG, "no progress", "at loop", List.of(), "", "/hang.txt");
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.Failure("before", "at B"));

        agent.apply(new AgentEvent.WorkerFault(agent.attempt(0), 0, hang))
                .reports(0, new UpMessage.Failure("interrupted", "at X"))
                .exits(0, 137);

        assertThat(agent.group().failures())
                .singleElement()
                .extracting(Failure::kind, Failure::message, Failure::stack, Failure::savedFile, Failure::lastStderr)
                .containsExactly(FailureKind.HANG, "no progress", "at loop", "/hang.txt", List.of("last words"));
    }

    @Test
    void failure_foundOfAnEarlierWorker_isNotThatOfItsSuccessor() {
        AgentFixture agent = AgentFixture.soft(1).working();

        agent.apply(new AgentEvent.WorkerFault(
                        agent.attempt(0) + 1, 0, Failure.Evidence.of(FailureKind.UNREACHABLE, "disk full")))
                .exits(0, 1);

        assertThat(agent.group().failures().get(0).kind()).isEqualTo(FailureKind.EXIT_CODE);
    }

    @Test
    void failure_afterPeerLostInThisRound_isCollateral() {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.PeerLost(1, 1));

        assertThat(agent.exits(0, 1).group().failures().get(0).collateral()).isTrue();
    }

    @Test
    void peerLost_stillTheSameRoundAfterAWhile_isPublished() {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.PeerLost(1, 1));
        assertThat(agent.state().reports().peersLost()).isEmpty();

        AgentEffect.Schedule later = agent.effects(AgentEffect.Schedule.class).get(0);

        assertThat(agent.apply(later.event()).state().reports().peersLost()).containsExactly(new PeerLost(1, 0, 1));
    }

    @Test
    void peerLost_answeredByARoundMeanwhile_isNotPublished() {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.PeerLost(1, 1));
        AgentEffect.Schedule later = agent.effects(AgentEffect.Schedule.class).get(0);

        agent.round(RoundFixture.round(2).with("a", 0, 1)).apply(later.event());

        assertThat(agent.state().reports().peersLost()).isEmpty();
    }

    @Test
    void peerLost_answeredByWorkForTheSameRoundMeanwhile_isNotPublished() {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.PeerLost(1, 1));
        AgentEffect.Schedule later = agent.effects(AgentEffect.Schedule.class).get(0);

        agent.apply(new AgentEvent.Fenced())
                .apply(new AgentEvent.Restored(false))
                .apply(later.event());

        assertThat(agent.state().workingRound()).isEqualTo(1);
        assertThat(agent.state().reports().peersLost()).allMatch(PeerLost::isDoubt);
    }

    @Test
    void peerLost_publishedBeforeTheFence_isForgottenWhenTheRoundGoesOn() {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.PeerLost(1, 1));
        AgentEffect.Schedule later = agent.effects(AgentEffect.Schedule.class).get(0);

        agent.apply(later.event()).apply(new AgentEvent.Fenced()).apply(new AgentEvent.Restored(false));

        assertThat(agent.state().workingRound()).isEqualTo(1);
        assertThat(agent.state().reports().peersLost()).allMatch(PeerLost::isDoubt);
    }

    @Test
    void peerLost_reportedBeforeThePauseOfADoubtfulLeaseWasSeen_isNotPublished() {
        AgentFixture agent = AgentFixture.soft(1)
                .working()
                .apply(new AgentEvent.Fenced())
                .apply(new AgentEvent.Restored(false))
                .reports(0, new UpMessage.PeerLost(1, 1));
        assertThat(agent.effects(AgentEffect.Schedule.class)).isEmpty();

        agent.reports(0, new UpMessage.Ack(3, 0, 1)).reports(0, new UpMessage.PeerLost(1, 1));
        assertThat(agent.effects(AgentEffect.Schedule.class)).hasSize(1);
    }

    @Test
    void failure_afterPeerLostInAnOlderRound_isItsOwn() {
        AgentFixture agent = AgentFixture.soft(1)
                .working()
                .reports(0, new UpMessage.PeerLost(1, 1))
                .round(RoundFixture.round(2).with("a", 0, 1));

        assertThat(agent.state().reports().peersLost()).isEmpty();
        assertThat(agent.exits(0, 1).group().failures().get(0).collateral()).isFalse();
    }

    @Test
    void startFailures_softWithoutBudget_giveUpAtFive() {
        AgentFixture agent = AgentFixture.softWithoutBudget().joined();
        for (int failures = 1; failures < 5; failures++) {
            agent.started().exits(0, 1).groupGone();
            AgentEffect.Schedule again =
                    agent.effects(AgentEffect.Schedule.class).get(0);
            assertThat(again.delay()).isEqualTo(Duration.ofMillis(250).multipliedBy(1L << (failures - 1)));
            agent.apply(again.event());
            assertThat(agent.generation()).isEqualTo(failures);
        }
        agent.started().exits(0, 1).groupGone();

        assertThat(agent.state().phase()).isEqualTo(NodePhase.BROKEN);
        assertThat(agent.last().reason()).contains("5 times");
    }

    @Test
    void startFailures_softKilledFromOutside_delayTheNextAndNeverGiveUp() {
        AgentFixture agent = AgentFixture.soft(1).joined();
        for (int failures = 1; failures < 12; failures++) {
            agent.started().exits(0, 128 + 9).groupGone();
            AgentEffect.Schedule again =
                    agent.effects(AgentEffect.Schedule.class).get(0);
            assertThat(again.delay()).isEqualTo(Duration.ofMillis(250).multipliedBy(1L << Math.min(failures - 1, 3)));
            agent.apply(again.event());
        }
        agent.started().exits(0, 1).groupGone();

        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
        assertThat(agent.state().group().startFailures()).isEqualTo(new StartFailures(1, 11));
    }

    @Test
    void failure_hardAtWork_leavesTheStopToTheRound() {
        AgentFixture agent = AgentFixture.hard(2).working().exits(0, 1);

        assertThat(agent.effects(AgentEffect.StopGroup.class)).isEmpty();
        assertThat(agent.state().toRecord(agent.settings, 1).failures()).hasSize(1);
    }

    @Test
    void startFailures_hardNeverRanWithoutBudget_giveUpAtThree() {
        AgentFixture agent = AgentFixture.withoutBudget(false, FailedWorker.STOPS_THE_NODE, 1)
                .prepared();
        for (int failures = 0; failures < 3; failures++) {
            agent.round(RoundFixture.round(2 * failures + 1).with("a", failures, 1))
                    .exits(0, -1)
                    .groupGone();
            agent.round(RoundFixture.round(2 * failures + 1)
                            .with("a", failures, 1)
                            .suspended())
                    .reserve(7000 + failures * 10);
        }

        assertThat(agent.state().phase()).isEqualTo(NodePhase.BROKEN);
    }

    @Test
    void startFailures_hardRanInBetween_startOver() {
        AgentFixture agent = AgentFixture.hard(1).prepared();
        for (int generation = 0; generation < 6; generation++) {
            agent.round(RoundFixture.round(generation + 1).with("a", generation, 1));
            boolean ran = generation % 2 == 1;
            agent = ran ? agent.started().exits(0, 1) : agent.exits(0, -1).groupGone();
            agent.round(
                    RoundFixture.round(generation + 1).with("a", generation, 1).suspended());
            agent = ran ? agent.groupGone() : agent;
            agent.reserve(7000 + generation * 10);
        }

        assertThat(agent.state().phase()).isEqualTo(NodePhase.READY);
    }

    @Test
    void exitZero_allWorkers_nodeIsDoneOnlyThen() {
        AgentFixture agent = AgentFixture.soft(2).working().exits(0, 0);

        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
        assertThat(agent.exits(1, 0).state().phase()).isEqualTo(NodePhase.DONE);
        assertThat(agent.state().workingRound()).isZero();
    }

    @Test
    void exitZero_allWorkers_recordHasTheLastRoundTheyWorkedIn() {
        AgentFixture agent = AgentFixture.soft(2).working().reports(0, new UpMessage.Resumed(1, 0, 5, 0, 0));
        agent.round(RoundFixture.round(2).with("a", 0, 2).with("b", 0, 1)).exits(0, 0);
        assertThat(lastWorked(agent)).containsExactly(0L, 0L);

        agent.exits(1, 0);

        assertThat(lastWorked(agent)).containsExactly(1L, 1L);
    }

    private static List<Long> lastWorked(AgentFixture agent) {
        return agent.state().toRecord(agent.settings, 1).group().workers().stream()
                .map(WorkerRecord::lastWorked)
                .toList();
    }

    @Test
    void exit_reportedTwice_countsOnce() {
        AgentFixture agent = AgentFixture.soft(1).working().exits(0, 1).exits(0, 1);

        assertThat(agent.group().failures()).hasSize(1);
        assertThat(agent.last().effects()).isEmpty();
    }

    @Test
    void pauseExpired_noAcknowledgement_isAFailureOfThatWorker() {
        AgentFixture agent =
                AgentFixture.soft(2).working().round(RoundFixture.round(2).with("a", 0, 2));
        AgentEffect.Schedule due = agent.effects(AgentEffect.Schedule.class).get(0);
        AgentEvent.PauseExpired expired = (AgentEvent.PauseExpired) due.event();
        assertThat(due.delay()).isEqualTo(AgentFixture.PAUSE_TIMEOUT);

        agent.reports(0, new UpMessage.Ack(expired.seq(), 3, 1)).apply(expired);

        assertThat(agent.group().failures()).extracting(Failure::slot).containsExactly(1);
        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
    }

    @Test
    void pauseExpired_allAcknowledged_isNothing() {
        AgentFixture agent =
                AgentFixture.soft(1).working().round(RoundFixture.round(2).with("a", 0, 1));
        AgentEvent expired = agent.effects(AgentEffect.Schedule.class).get(0).event();
        long seq = ((AgentEvent.PauseExpired) expired).seq();

        agent.reports(0, new UpMessage.Ack(seq, 3, 1)).apply(expired);

        assertThat(agent.last().effects()).isEmpty();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
    }

    @Test
    void checkpointVersion_progress_isPublishedWithTheNextRoundOnly() {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.Progress(10, 100, 9));

        assertThat(agent.state().checkpoints().recorded()).isEqualTo(HeldVersion.NONE);
        agent.round(RoundFixture.round(2).with("a", 0, 1));
        assertThat(agent.state().checkpoints().recorded()).isEqualTo(HeldVersion.of(0, 0, 9));
    }

    @Test
    void stopRun_reportedByTwo_theFirstIsTheCause() {
        AgentFixture agent = AgentFixture.soft(2)
                .joined()
                .started()
                .reports(1, new UpMessage.StopRun("no data"))
                .reports(0, new UpMessage.StopRun("no data here either"));

        Failure stop = agent.state().toRecord(agent.settings, 1).reports().stopRun();
        assertThat(stop).isNotNull().extracting(Failure::message).isEqualTo("no data");
    }

    @Test
    void stopRun_reported_isPublishedWithItsMessage() {
        AgentFixture agent = AgentFixture.soft(1).joined().started().reports(0, new UpMessage.StopRun("no data"));

        Failure stop = agent.state().toRecord(agent.settings, 1).reports().stopRun();

        assertThat(stop).isNotNull().extracting(Failure::message).isEqualTo("no data");
    }

    @Test
    void stopRun_reportedBeforeTheRunIsJoined_startsNoWorkersAgain() {
        AgentFixture agent = AgentFixture.soft(1)
                .started()
                .reports(0, new UpMessage.StopRun("no data"))
                .exits(0, 1)
                .groupGone();

        assertThat(agent.effects(AgentEffect.Schedule.class)).isEmpty();
        agent.apply(new AgentEvent.RestartDue(0)).joined();
        assertThat(agent.effects(AgentEffect.StartGroup.class)).isEmpty();
        assertThat(agent.state().toRecord(agent.settings, 1).reports().stopRun())
                .isNotNull();
    }

    @Test
    void excludeNode_reported_isPublishedWithTheFirstReason() {
        AgentFixture agent = AgentFixture.soft(2)
                .working()
                .reports(0, new UpMessage.ExcludeNode("bad disk"))
                .reports(1, new UpMessage.ExcludeNode("slow"));

        assertThat(agent.state().toRecord(agent.settings, 1).reports().excluded())
                .isEqualTo("bad disk");
        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
    }

    @Test
    void excludeNode_reportedWithoutAReason_isPublishedAllTheSame() {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.ExcludeNode(""));

        assertThat(agent.state().toRecord(agent.settings, 1).reports().excluded())
                .isEqualTo("no reason given");
    }

    @Test
    void exit_codeThatIsNotToBeRetried_asksForTheEndOfTheRun() {
        RetryLimits limits = new RetryLimits(Set.of(2, 64), 0);

        AgentFixture agent = AgentFixture.soft(1, limits).working().exits(0, 64);

        assertThat(requireNonNull(agent.state().reports().stopRun()).message())
                .startsWith("exit code 64; ")
                .contains("--no-retry-exit-codes");
        assertThat(agent.groupGone().effects(AgentEffect.StartGroup.class)).isEmpty();
        assertThat(AgentFixture.soft(1, limits)
                        .working()
                        .exits(0, 3)
                        .state()
                        .reports()
                        .stopRun())
                .isNull();
    }
}
