/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.PeerLost;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.StateSource;
import dev.elasticrun.worker.contract.UpMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RoundRulesTest {

    @Test
    void sealed_softFirst_publishesWorkAndReservesTheNextMaster() {
        AgentFixture agent =
                AgentFixture.soft(1).prepared().round(RoundFixture.round(1).with("a", 0, 1));

        assertThat(agent.effects(AgentEffect.Work.class))
                .extracting(AgentEffect.Work::cause)
                .containsExactly("cause 1");
        assertThat(agent.effects(AgentEffect.Pause.class)).isEmpty();
        assertThat(agent.effects(AgentEffect.ReservePorts.class)).containsExactly(new AgentEffect.ReservePorts(false));
        assertThat(agent.state().rounds().acknowledged()).isEqualTo(1);
    }

    @Test
    void sealed_softNext_pausesAndThenWorksWithoutWaiting() {
        AgentFixture agent =
                AgentFixture.soft(1).working().round(RoundFixture.round(2).with("a", 0, 1));

        assertThat(agent.last().effects())
                .filteredOn(effect -> effect instanceof AgentEffect.Pause || effect instanceof AgentEffect.Work)
                .extracting(effect -> effect.getClass().getSimpleName())
                .containsExactly("Pause", "Work");
        assertThat(agent.effects(AgentEffect.Work.class).get(0).seq())
                .isEqualTo(agent.effects(AgentEffect.Pause.class).get(0).seq() + 1);
        assertThat(agent.effects(AgentEffect.Pause.class).get(0).round()).isEqualTo(1);
    }

    @Test
    void sealed_nodeOutsideHasMore_isFetchedFromByTheNodeOfRankZero() {
        AgentFixture agent = AgentFixture.soft(1)
                .prepared()
                .round(RoundFixture.round(1).with("a", 0, 1).with("b", 0, 1).source("c", 12));

        assertThat(agent.effects(AgentEffect.Work.class)).singleElement().satisfies(work -> assertThat(work.sources())
                .extracting(StateSource::nodeId)
                .containsExactly("c"));
    }

    @Test
    void sealed_nodeOutsideHasMore_isLeftToTheNodeOfRankZero() {
        AgentFixture agent = AgentFixture.soft(1)
                .prepared()
                .round(RoundFixture.round(1).with("b", 0, 1).with("a", 0, 1).source("c", 12));

        assertThat(agent.effects(AgentEffect.Work.class)).singleElement().satisfies(work -> assertThat(work.sources())
                .isEmpty());
    }

    @Test
    void sealed_memberThatLeft_isAskedByANodeThatMissedARound() {
        AgentFixture agent = AgentFixture.soft(1)
                .prepared()
                .round(RoundFixture.round(2).with("a", 0, 1).formerMember("c"));

        assertThat(agent.effects(AgentEffect.Work.class)).singleElement().satisfies(work -> assertThat(work.sources())
                .extracting(StateSource::nodeId)
                .containsExactly("c"));
    }

    @Test
    void sealed_memberThatLeft_isNotAskedByANodeThatWasInAllRoundsSinceItAgreed() {
        AgentFixture agent = AgentFixture.soft(1)
                .working()
                .reports(0, new UpMessage.Resumed(1, 3, 1, 0, 0))
                .round(RoundFixture.round(2).with("a", 0, 1).formerMember("c"));

        assertThat(agent.effects(AgentEffect.Work.class)).singleElement().satisfies(work -> assertThat(work.sources())
                .isEmpty());
    }

    @Test
    void sealed_ownWorkersHadAsMuch_fetchesNothing() {
        AgentFixture agent = AgentFixture.soft(1)
                .working()
                .reports(0, new UpMessage.Committed(12))
                .round(RoundFixture.round(2).with("a", 0, 1).source("c", 12));

        assertThat(agent.effects(AgentEffect.Work.class)).singleElement().satisfies(work -> assertThat(work.sources())
                .isEmpty());
    }

    @Test
    void sealed_seenTwice_isReportedOnce() {
        AgentFixture agent = AgentFixture.soft(1)
                .working()
                .round(RoundFixture.round(1).with("a", 0, 1).with("b", 0, 1));

        assertThat(agent.last().effects()).isEmpty();
    }

    @Test
    void sealed_softWithoutUs_pausesAndStandsBy() {
        AgentFixture agent =
                AgentFixture.soft(1).working().round(RoundFixture.round(2).with("b", 0, 1));

        assertThat(agent.effects(AgentEffect.Pause.class)).hasSize(1);
        assertThat(agent.effects(AgentEffect.Work.class)).isEmpty();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STANDBY);
    }

    @Test
    void sealed_namesAnOlderGroupOfOurs_isNotWorkedIn() {
        AgentFixture agent = AgentFixture.soft(1).working().exits(0, 1).groupGone();
        agent.round(RoundFixture.round(2).with("b", 0, 1).order("a", Order.Kind.RESTART, 0));
        agent.later().started().ready();

        agent.round(RoundFixture.round(3).with("b", 0, 1).with("a", 0, 1));

        assertThat(agent.effects(AgentEffect.Work.class)).isEmpty();
    }

    @Test
    void suspended_softNeverSeenSealed_isAcknowledged() {
        AgentFixture agent = AgentFixture.soft(1)
                .working()
                .round(RoundFixture.round(2).with("a", 0, 1).suspended());

        assertThat(agent.state().rounds().acknowledged()).isEqualTo(2);
    }

    @Test
    void suspended_softAfterRoundsThatWereMissed_reportsNoMasterUntilTheNextIsReserved() {
        AgentFixture agent = AgentFixture.soft(1)
                .working()
                .round(RoundFixture.round(4).with("a", 0, 1).suspended());

        assertThat(agent.effects(AgentEffect.ReservePorts.class)).hasSize(1);
        assertThat(agent.state().rounds().acknowledged()).isEqualTo(4);
        assertThat(agent.state().membership().masterPort()).isZero();
        assertThat(agent.reserve(7000).state().membership().masterPort()).isEqualTo(7000);
    }

    @Test
    void sealed_softAfterRoundsThatWereMissed_reportsNoMasterUntilTheNextIsReserved() {
        AgentFixture agent = AgentFixture.soft(1)
                .working()
                .round(RoundFixture.round(4).with("b", 0, 1).with("a", 0, 1));

        assertThat(agent.effects(AgentEffect.Work.class)).hasSize(1);
        assertThat(agent.state().membership().masterPort()).isZero();
        assertThat(agent.reserve(7000).state().membership().masterPort()).isEqualTo(7000);
    }

    @Test
    void suspended_soft_pausesInPlaceAndResumesInTheNext() {
        AgentFixture agent = AgentFixture.soft(1)
                .working()
                .round(RoundFixture.round(1).with("a", 0, 1).suspended());

        assertThat(agent.effects(AgentEffect.Pause.class)).hasSize(1);
        assertThat(agent.effects(AgentEffect.StopGroup.class)).isEmpty();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
        agent.round(RoundFixture.round(2).with("a", 0, 1).with("c", 0, 1));
        assertThat(agent.effects(AgentEffect.Work.class)).hasSize(1);
        assertThat(agent.effects(AgentEffect.Pause.class)).isEmpty();
    }

    @Test
    void suspended_sealedOneNeverSeen_reservesAnotherMaster() {
        AgentFixture soft =
                AgentFixture.soft(1).prepared().round(RoundFixture.round(1).suspended());
        AgentFixture hard = AgentFixture.hard(1)
                .prepared()
                .round(RoundFixture.round(1).with("a", 0, 1).suspended());

        assertThat(soft.effects(AgentEffect.ReservePorts.class)).hasSize(1);
        assertThat(hard.effects(AgentEffect.ReservePorts.class)).hasSize(1);
    }

    @Test
    void doneNode_softStillNamedByALateRound_staysDone() {
        AgentFixture agent = AgentFixture.soft(1).working().allExit(0);

        agent.round(RoundFixture.round(2).with("a", 0, 1).with("b", 0, 1));

        assertThat(agent.state().phase()).isEqualTo(NodePhase.DONE);
        assertThat(agent.effects(AgentEffect.Work.class)).isEmpty();
    }

    @Test
    void doneNode_hardRoundWithoutIt_isNotStartedAgain() {
        AgentFixture agent = AgentFixture.hard(1).working().allExit(0);

        agent.round(RoundFixture.round(1).with("a", 0, 1).with("b", 0, 1).suspended());
        agent.round(RoundFixture.round(2).with("b", 1, 1));

        assertThat(agent.last().effects()).isEmpty();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.DONE);
    }

    @Test
    void doneNode_hardMembershipLost_isNotStartedAgain() {
        AgentFixture agent = AgentFixture.hard(1).working().allExit(0).apply(new AgentEvent.MembershipLost());

        assertThat(agent.effects(AgentEffect.StopGroup.class)).isEmpty();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.DONE);
    }

    @Test
    void sealed_hard_startsTheGroupInIt() {
        AgentFixture agent = AgentFixture.hard(1).prepared();
        Round round = RoundFixture.round(1).with("a", 0, 1).build();

        agent.apply(new AgentEvent.RoundPublished(round));

        assertThat(agent.effects(AgentEffect.StartGroup.class))
                .containsExactly(new AgentEffect.StartGroup(0, round, round.cause(), List.of()));
        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
    }

    @Test
    void suspended_hard_stopsAndReportsOnlyOnceAllAreGone() {
        AgentFixture agent = AgentFixture.hard(1)
                .working()
                .round(RoundFixture.round(1).with("a", 0, 1).with("b", 0, 1).suspended());

        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
        assertThat(agent.state().rounds().stopped()).isZero();
        agent.exits(0, 143).groupGone();
        assertThat(agent.state().rounds().stopped()).isZero();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
        assertThat(agent.generation()).isEqualTo(1);
        assertThat(agent.effects(AgentEffect.ReservePorts.class)).containsExactly(new AgentEffect.ReservePorts(true));
        assertThat(agent.reserve(7000).state().phase()).isEqualTo(NodePhase.READY);
        assertThat(agent.state().rounds().stopped()).isEqualTo(1);
    }

    @Test
    void suspended_hardWithoutThisNode_stopsItsWorkersToo() {
        AgentFixture agent = AgentFixture.hard(1).working();

        agent.round(RoundFixture.round(1).with("b", 0, 1).suspended());

        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
    }

    @Test
    void suspended_hardNothingStartedYet_reportsAtOnce() {
        AgentFixture agent = AgentFixture.hard(1)
                .prepared()
                .round(RoundFixture.round(1).with("a", 0, 1).suspended());

        assertThat(agent.state().rounds().stopped()).isEqualTo(1);
        assertThat(agent.generation()).isZero();
    }

    @Test
    void fenced_soft_pausesWithoutARoundAndWorksAgainWhenRestored() {
        AgentFixture agent = AgentFixture.soft(1).working().apply(new AgentEvent.Fenced());

        assertThat(agent.effects(AgentEffect.Pause.class)).hasSize(1);
        agent.apply(new AgentEvent.Restored(false));
        assertThat(agent.effects(AgentEffect.Work.class))
                .singleElement()
                .satisfies(work -> assertThat(work.round().number()).isEqualTo(1));
    }

    @Test
    void restored_soft_reportsForAWhileThatItsLeaseWasInDoubt() {
        AgentFixture agent =
                AgentFixture.soft(1).working().apply(new AgentEvent.Fenced()).apply(new AgentEvent.Restored(false));

        assertThat(agent.state().reports().peersLost()).containsExactly(PeerLost.ofDoubt(1, 0));
        assertThat(agent.later().state().reports().peersLost()).isEmpty();
    }

    @Test
    void restored_soft_secondDoubtInARound_isReportedForItsOwnTime() {
        AgentFixture agent =
                AgentFixture.soft(1).working().apply(new AgentEvent.Fenced()).apply(new AgentEvent.Restored(false));
        AgentEvent firstOver = new AgentEvent.DoubtOver(1, agent.state().group().eventSeq());

        agent.apply(new AgentEvent.Fenced())
                .apply(new AgentEvent.Restored(false))
                .apply(firstOver);

        assertThat(agent.state().reports().peersLost()).containsExactly(PeerLost.ofDoubt(1, 0));
    }

    @Test
    void peerLost_namesTheReporterItself_isNoLinkButAsksForANewRound() {
        AgentFixture agent = AgentFixture.soft(1).working();

        agent.reports(0, new UpMessage.PeerLost(1, 0)).later();

        assertThat(agent.state().reports().peersLost()).isEmpty();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.FENCED);
    }

    /** Nobody has paused it, and if all ranks have closed their links nobody else misses anybody. */
    @Test
    void peerLost_hardNamesTheReporterItself_asksForANewRoundUntilItsWorkersAreNew() {
        AgentFixture agent = AgentFixture.hard(1).working();

        agent.reports(0, new UpMessage.PeerLost(1, 0)).later();

        assertThat(agent.state().reports().peersLost()).isEmpty();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.FENCED);

        agent.round(RoundFixture.round(1).with("a", 0, 1).with("b", 0, 1).suspended());
        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
        agent.groupGone();

        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
    }

    /** PAUSE and WORK were on their way: the worker joins anew without another round. */
    @Test
    void peerLost_namesTheReporterItselfBeforeADoubtOfTheLease_asksForNothing() {
        AgentFixture agent = AgentFixture.soft(1).working();

        agent.reports(0, new UpMessage.PeerLost(1, 0))
                .apply(new AgentEvent.Fenced())
                .apply(new AgentEvent.Restored(false))
                .later();

        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
    }

    @Test
    void restored_soft_nobodyElseIsInTheRound_hasNobodyToNotify() {
        AgentFixture agent = AgentFixture.soft(1)
                .prepared()
                .round(RoundFixture.round(1).with("a", 0, 1))
                .apply(new AgentEvent.Fenced())
                .apply(new AgentEvent.Restored(false));

        assertThat(agent.state().workingRound()).isEqualTo(1);
        assertThat(agent.state().reports().peersLost()).isEmpty();
    }

    @Test
    void restored_agentStalled_asksForANewRound() {
        AgentFixture agent =
                AgentFixture.soft(1).working().apply(new AgentEvent.Fenced()).apply(new AgentEvent.Restored(true));

        assertThat(agent.state().phase()).isEqualTo(NodePhase.FENCED);
        assertThat(agent.effects(AgentEffect.Work.class)).isEmpty();
        agent.round(RoundFixture.round(2).with("a", 0, 1).with("b", 0, 1));
        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
    }

    @Test
    void restored_neverFenced_isNothing() {
        AgentFixture agent = AgentFixture.soft(1).working().apply(new AgentEvent.Restored(false));

        assertThat(agent.effects(AgentEffect.Work.class)).isEmpty();
    }

    @Test
    void membershipLost_soft_pausesAndComesBackReadyWithItsWorkers() {
        AgentFixture agent = AgentFixture.soft(1).working().apply(new AgentEvent.MembershipLost());

        assertThat(agent.effects(AgentEffect.Pause.class)).hasSize(1);
        assertThat(agent.effects(AgentEffect.StopGroup.class)).isEmpty();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.READY);
    }

    @Test
    void membershipLost_whileItEnds_pausesTheWorkersUntilTheyAreGone() {
        AgentFixture draining = AgentFixture.soft(1)
                .working()
                .apply(new AgentEvent.DrainRequested(143))
                .apply(new AgentEvent.MembershipLost());
        AgentFixture stopping = AgentFixture.soft(1)
                .working()
                .apply(new AgentEvent.Aborted(1, "stopped"))
                .apply(new AgentEvent.MembershipLost());
        AgentFixture hard = AgentFixture.hard(1)
                .working()
                .apply(new AgentEvent.Aborted(1, "stopped"))
                .apply(new AgentEvent.MembershipLost());

        assertThat(draining.effects(AgentEffect.Pause.class)).hasSize(1);
        assertThat(draining.state().phase()).isEqualTo(NodePhase.DRAINING);
        assertThat(stopping.effects(AgentEffect.Pause.class)).hasSize(1);
        assertThat(stopping.state().membership().life()).isZero();
        assertThat(hard.effects(AgentEffect.Pause.class)).isEmpty();
    }

    @Test
    void membershipLost_any_reservesAnotherMaster() {
        AgentFixture agent = AgentFixture.soft(1).working().apply(new AgentEvent.MembershipLost());

        assertThat(agent.effects(AgentEffect.ReservePorts.class)).containsExactly(new AgentEffect.ReservePorts(false));
    }

    @Test
    void membershipLost_hard_stopsAndComesBackWithAFreshGroup() {
        AgentFixture agent = AgentFixture.hard(1).working().apply(new AgentEvent.MembershipLost());

        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
        agent.groupGone().reserve(7000);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.READY);
        assertThat(agent.generation()).isEqualTo(1);
    }

    @Test
    void sealed_namesAnotherLifeOfOurs_isNotWorkedIn() {
        AgentFixture soft = AgentFixture.soft(1)
                .working()
                .apply(new AgentEvent.MembershipLost())
                .round(RoundFixture.round(2).with("a", 0, 1));
        AgentFixture hard = AgentFixture.hard(1)
                .prepared()
                .apply(new AgentEvent.MembershipLost())
                .round(RoundFixture.round(1).with("a", 0, 1));

        assertThat(soft.effects(AgentEffect.Work.class)).isEmpty();
        assertThat(hard.effects(AgentEffect.StartGroup.class)).isEmpty();
        assertThat(soft.joined(2).state().phase()).isEqualTo(NodePhase.STANDBY);
    }

    @Test
    void sealed_roundsMissedInBetween_reservesAnotherMaster() {
        AgentFixture agent =
                AgentFixture.soft(1).working().round(RoundFixture.round(4).with("b", 0, 1));

        assertThat(agent.effects(AgentEffect.ReservePorts.class)).hasSize(1);
    }

    @Test
    void leave_ordered_endsWithTheBudgetsExitCode() {
        AgentFixture agent = AgentFixture.soft(1).working().exits(0, 1);
        agent.round(RoundFixture.round(2).with("b", 0, 1).order("a", Order.Kind.LEAVE, 0));

        agent.groupGone();

        assertThat(agent.effects(AgentEffect.Finish.class))
                .extracting(AgentEffect.Finish::exitCode)
                .containsExactly(4);
    }

    @Test
    void order_forAnOlderGroup_isObeyedAlready() {
        AgentFixture agent = AgentFixture.soft(1).working().exits(0, 1).groupGone();
        RoundFixture ordered = RoundFixture.round(2).with("b", 0, 1).order("a", Order.Kind.RESTART, 0);
        agent.round(ordered).later().started();

        agent.round(RoundFixture.round(3).with("b", 0, 1).order("a", Order.Kind.RESTART, 0));

        assertThat(agent.last().effects()).isEqualTo(List.of());
        assertThat(agent.generation()).isEqualTo(1);
    }

    @Test
    void leave_orderedForAnEarlierGroup_isObeyed() {
        AgentFixture agent = AgentFixture.soft(1).working().exits(0, 1).groupGone();
        agent.round(RoundFixture.round(2).with("b", 0, 1).order("a", Order.Kind.RESTART, 0));
        agent.later().started().ready();

        agent.round(RoundFixture.round(3).with("b", 0, 1).order("a", Order.Kind.LEAVE, 0));

        assertThat(agent.state().isEnding()).isTrue();
    }

    @Test
    void excluded_leftOutAndAdmittedAgain_wantsToStay() {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.ExcludeNode("bad disk"));

        agent.round(RoundFixture.round(2).with("b", 0, 1));
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STANDBY);
        assertThat(agent.state().reports().excluded()).isEqualTo("bad disk");
        agent.round(RoundFixture.round(3).with("b", 0, 1).with("a", 0, 1));

        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
        assertThat(agent.state().reports().excluded()).isEmpty();
    }

    @Test
    void excluded_aRoundWithTheNodeCameFirst_stillWantsOut() {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.ExcludeNode("bad disk"));

        agent.round(RoundFixture.round(2).with("a", 0, 1).with("b", 0, 1));

        assertThat(agent.state().reports().excluded()).isEqualTo("bad disk");
    }
}
