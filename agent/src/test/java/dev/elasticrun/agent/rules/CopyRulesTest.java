/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.HeldVersion;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.worker.contract.CheckpointId;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The agent of the fixture is that of node a. */
final class CopyRulesTest {
    private final CopyRules rules = new CopyRules("a", 2);

    @Test
    void source_ofAStandby_isTheNodeThatWorksAlone() {
        AgentState standby = standby(RoundFixture.round(3).with("b", 0, 2));

        assertThat(source(standby, 0)).contains("b keeper");
        assertThat(new CopyRules("a", 1).source(standby, 0)).isEmpty();
    }

    @Test
    void source_ofAStandby_isNone_whereEnoughNodesWork() {
        AgentState standby = standby(RoundFixture.round(3).with("b", 0, 1).with("c", 0, 1));

        assertThat(source(standby, 0)).isEmpty();
        assertThat(new CopyRules("a", 3).source(standby, 0)).isPresent();
    }

    @Test
    void source_afterAFailure_isTheNextNode() {
        AgentState standby = standby(RoundFixture.round(3).with("b", 0, 1).with("c", 0, 1));
        CopyRules three = new CopyRules("a", 3);

        assertThat(three.source(standby, 1).map(from -> from.holder().nodeId())).contains("c");
        assertThat(three.source(standby, 2).map(from -> from.holder().nodeId())).contains("b");
    }

    @Test
    void source_ofANodeThatIsAboutToJoin_isCountedByNobody() {
        AgentState starting = AgentFixture.soft(1)
                .joined()
                .round(RoundFixture.round(3).with("b", 0, 1).with("c", 0, 1))
                .state();

        assertThat(starting.phase()).isEqualTo(NodePhase.STARTING);
        assertThat(source(starting, 0)).contains("b joins");
    }

    @Test
    void source_ofANodeThatWorks_isNone() {
        AgentState working = AgentFixture.soft(1).working().state();

        assertThat(source(working, 0)).isEmpty();
    }

    @Test
    void source_withoutARound_isNone() {
        assertThat(source(AgentFixture.soft(1).joined().state(), 0)).isEmpty();
    }

    @Test
    void keepers_areWantedByNodesThatWork_andAreTooFew() {
        assertThat(rules.keepers(null)).isZero();
        assertThat(rules.keepers(RoundFixture.round(3).with("a", 0, 2).build())).isEqualTo(1);
        assertThat(rules.keepers(RoundFixture.round(3).with("b", 0, 2).build())).isZero();
        assertThat(rules.keepers(
                        RoundFixture.round(3).with("a", 0, 2).with("b", 0, 1).build()))
                .isZero();
    }

    @Test
    void pause_isTenTimesWhatACopyTook_butASecond() {
        assertThat(rules.pause(Duration.ofMillis(3), true)).isEqualTo(Duration.ofSeconds(1));
        assertThat(rules.pause(Duration.ofMillis(700), true)).isEqualTo(Duration.ofSeconds(7));
        assertThat(rules.pause(Duration.ofMillis(3), false)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void copied_isReportedWithARecordOfItsOwn() {
        AgentFixture agent = AgentFixture.soft(1).joined();

        agent.apply(new AgentEvent.CheckpointCopied(new CheckpointId("run", 3, 9, 1), 0));

        assertThat(agent.state().checkpoints().recorded()).isEqualTo(HeldVersion.of(0, 3, 9));
    }

    @Test
    void copied_isOfTheHistorySinceALossThatThisNodeDidNotSee() {
        AgentFixture agent = AgentFixture.soft(1).joined();
        agent.apply(new AgentEvent.CheckpointCopied(new CheckpointId("run", 3, 9, 1), 0));

        agent.apply(new AgentEvent.CheckpointCopied(new CheckpointId("run", 5, 2, 1), 5));

        assertThat(agent.state().checkpoints().recorded()).isEqualTo(HeldVersion.of(5, 5, 2));
    }

    @Test
    void copied_fromBeforeALossThatTheOtherNodeDoesNotKnow_countsNoMore() {
        AgentFixture agent = AgentFixture.soft(1).joined();
        agent.apply(new AgentEvent.CheckpointCopied(new CheckpointId("run", 5, 2, 1), 5));

        agent.apply(new AgentEvent.CheckpointCopied(new CheckpointId("run", 4, 9, 1), 0));

        assertThat(agent.state().checkpoints().recorded()).isEqualTo(HeldVersion.of(5, 5, 2));
    }

    private Optional<String> source(AgentState state, int attempt) {
        return rules.source(state, attempt)
                .map(from -> from.holder().nodeId() + (from.keeper() ? " keeper" : " joins"));
    }

    private static AgentState standby(RoundFixture round) {
        AgentState state =
                AgentFixture.soft(1).joined().started().ready().round(round).state();
        assertThat(state.phase()).isEqualTo(NodePhase.STANDBY);
        return state;
    }
}
