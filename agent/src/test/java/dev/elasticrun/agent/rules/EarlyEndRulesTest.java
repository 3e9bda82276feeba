/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.worker.contract.UpMessage;
import org.junit.jupiter.api.Test;

/** Workers that end with 0 while others of their node work. In round 1 node a has ranks 0 and 1. */
final class EarlyEndRulesTest {

    @Test
    void end_nobodyMissesIt_isNoFailure() {
        AgentFixture agent = AgentFixture.soft(2).working().exits(1, 0);

        assertThat(agent.state().phase()).isEqualTo(NodePhase.ACTIVE);
        assertThat(agent.group().failures()).isEmpty();
        assertThat(agent.exits(0, 0).state().phase()).isEqualTo(NodePhase.DONE);
    }

    @Test
    void end_aNeighbourMissesIt_isAFailureThatIsNoConsequence() {
        AgentFixture agent = AgentFixture.soft(2).working().exits(1, 0);
        agent.reports(0, new UpMessage.PeerLost(1, 1)).later();

        Failure failure = agent.group().failures().get(0);
        assertThat(failure.message()).isEqualTo(EarlyEndRules.MESSAGE);
        assertThat(failure.rank()).isEqualTo(1);
        assertThat(failure.exitCode()).isZero();
        assertThat(failure.collateral()).isFalse();
        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
        assertThat(agent.logged()).contains("worker.failed");
        assertThat(agent.exits(0, 143).groupGone().group().failures()).hasSize(1);
    }

    @Test
    void end_isKnownOnlyAfterANeighbourMissedIt_isAFailure() {
        AgentFixture agent = AgentFixture.soft(2).working();
        agent.reports(0, new UpMessage.PeerLost(1, 1)).later();
        assertThat(agent.group().failures()).isEmpty();

        agent.exits(1, 0);

        assertThat(agent.group().failures()).hasSize(1);
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
    }

    @Test
    void end_anotherPeerIsMissed_isNoFailure() {
        AgentFixture agent = AgentFixture.soft(2).working().exits(1, 0);
        agent.reports(0, new UpMessage.PeerLost(1, 2)).later();

        assertThat(agent.group().failures()).isEmpty();
    }

    @Test
    void end_aRoundIsFormedBecauseOfALinkToThisNode_isAFailure() {
        AgentFixture agent = AgentFixture.soft(2).working().exits(1, 0);

        agent.round(RoundFixture.round(2).with("a", 0, 2).with("b", 0, 1).broken("b", "a"));

        assertThat(agent.group().failures()).hasSize(1);
        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
    }

    @Test
    void end_aRoundIsFormedForAnotherReason_isNoFailure() {
        AgentFixture agent = AgentFixture.soft(2).working().exits(1, 0);

        agent.round(RoundFixture.round(2).with("a", 0, 2).with("b", 0, 1).broken("b", "c"));

        assertThat(agent.group().failures()).isEmpty();
    }

    @Test
    void end_missedUnderHard_isAFailureThatTheCoordinatorAnswers() {
        AgentFixture agent = AgentFixture.hard(2).prepared().working().exits(1, 0);
        agent.reports(0, new UpMessage.PeerLost(1, 1)).later();

        assertThat(agent.group().failures()).hasSize(1);
        assertThat(agent.effects(AgentEffect.StopGroup.class)).isEmpty();
        assertThat(agent.state().toRecord(agent.settings, 1).failures()).hasSize(1);
    }

    @Test
    void end_missedUnderReplace_onlyItsSlotIsStartedAgain() {
        AgentFixture agent = AgentFixture.replacing(2).working().dies(1, 0);
        agent.reports(0, new UpMessage.PeerLost(1, 1)).later();

        assertThat(agent.group().failures()).hasSize(1);
        assertThat(agent.group().endedSlots()).containsExactly(1);
        assertThat(agent.effects(AgentEffect.KillWorker.class)).isEmpty();
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STARTING);
    }

    @Test
    void end_afterItsNeighbourWasReplaced_isAConsequenceOfThatFailure_sinceNoRoundCanDoWithoutIt() {
        AgentFixture agent = replaced().dies(0, 0);

        assertThat(agent.group().failures())
                .filteredOn(failure -> failure.message().equals(EarlyEndRules.MESSAGE))
                .singleElement()
                .satisfies(failure -> assertThat(failure.collateral()).isTrue());
        assertThat(agent.group().attempt(0)).isEqualTo(2);
    }

    @Test
    void end_inARoundThatItHasNotBegunWithItsNewNeighbour_isAFailure() {
        AgentFixture agent = replaced().round(together()).dies(0, 0);

        assertThat(agent.group().failures()).extracting(Failure::message).contains(EarlyEndRules.MESSAGE);
    }

    @Test
    void end_inARoundThatItHasBegunWithItsNewNeighbour_isNoFailure() {
        AgentFixture agent = replaced()
                .round(together())
                .reports(0, new UpMessage.Resumed(3, 0, 7, 0, 0))
                .dies(0, 0);

        assertThat(agent.group().failures()).extracting(Failure::message).doesNotContain(EarlyEndRules.MESSAGE);
        assertThat(agent.exits(1, 0).state().phase()).isEqualTo(NodePhase.DONE);
    }

    private static RoundFixture together() {
        return RoundFixture.round(3).withWorkers("a", 1, 0, 1).with("b", 0, 1);
    }

    /** Both have worked in round 1, then slot 1 failed, and its fresh worker is READY. */
    private static AgentFixture replaced() {
        return AgentFixture.replacing(2)
                .working()
                .reports(0, new UpMessage.Resumed(1, 0, 5, 0, 0))
                .reports(1, new UpMessage.Resumed(1, 0, 5, 0, 0))
                .dies(1, 1)
                .round(RoundFixture.round(2)
                        .with("a", 0, 2)
                        .with("b", 0, 1)
                        .suspended()
                        .order("a", Order.Kind.REPLACE, 0))
                .reports(1, new UpMessage.Ready(5001));
    }
}
