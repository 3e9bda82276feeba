/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.golden.GoldenFile;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.HeldVersion;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.worker.contract.UpMessage;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Workers found nothing left of what the run had. */
final class StateLostTest {
    private static final RoundFixture NOBODY_LEFT =
            RoundFixture.round(2).with("a", 0, 1).version(7);

    @Test
    void restart_isRecordedWithVersionAndWhoIsGone_andTheRunGoesOn() {
        AgentFixture agent = AgentFixture.soft(1).working().round(NOBODY_LEFT);

        agent.reports(0, new UpMessage.StateLost(2, 7));

        assertThat(agent.state().checkpoints().lost()).containsExactly(new LostState(7, 2, List.of("b")));
        assertThat(agent.state().reports().stopRun()).isNull();
        assertThat(agent.last().reason())
                .isEqualTo(agent.state().checkpoints().lost().get(0).describe());
        AgentEffect.Log log = agent.effects(AgentEffect.Log.class).get(0);
        assertThat(log.event())
                .isEqualTo(new RunEvent.StateLost(
                        new RunEvent.Worker(0, 0), new RunEvent.Loss(7, 2, List.of("b"), "restart")));
    }

    @Test
    void committed_isNotedInTheRun_andReportedWithTheNextRecord() {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.Committed(7));

        assertThat(agent.effects(AgentEffect.NoteCheckpoint.class))
                .containsExactly(new AgentEffect.NoteCheckpoint(new RunVersion(0, 7)));
        assertThat(record(agent).checkpoint()).as("no write for this alone").isEqualTo(HeldVersion.NONE);
        agent.exits(0, 137);
        assertThat(record(agent).checkpoint()).isEqualTo(HeldVersion.of(0, 0, 7));
    }

    @Test
    void restart_versionsCountAnew_andTheRunRemembersThat() {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.Committed(7));
        agent.round(NOBODY_LEFT);

        agent.reports(0, new UpMessage.StateLost(2, 7));

        assertThat(agent.effects(AgentEffect.NoteCheckpoint.class))
                .containsExactly(new AgentEffect.NoteCheckpoint(RunVersion.lostIn(2)));
        assertThat(record(agent).checkpoint()).as("reported at once").isEqualTo(HeldVersion.lostIn(2));
        agent.reports(0, new UpMessage.Committed(1));
        assertThat(agent.state().checkpoints().newest()).isEqualTo(HeldVersion.of(2, 0, 1));
    }

    @Test
    void committed_byAnAgentThatCameAfterTheLoss_countsFromIt() {
        AgentFixture agent = AgentFixture.soft(1)
                .working()
                .round(RoundFixture.round(5).with("a", 0, 1).checkpoint(new RunVersion(2, 4)));

        agent.reports(0, new UpMessage.Committed(5));

        assertThat(agent.effects(AgentEffect.NoteCheckpoint.class))
                .containsExactly(new AgentEffect.NoteCheckpoint(new RunVersion(2, 5)));
    }

    @Test
    void reportedTwiceOfARound_isRecordedOnce() {
        AgentFixture agent = AgentFixture.soft(2).working().reports(0, new UpMessage.StateLost(1, 7));

        agent.reports(1, new UpMessage.StateLost(1, 7));

        assertThat(agent.last().effects()).isEmpty();
        assertThat(agent.state().checkpoints().lost()).hasSize(1);
    }

    @Test
    void fail_asksForTheEndOfTheRunWithThatReason() {
        AgentFixture agent = AgentFixture.endingOnStateLoss(1).working().round(NOBODY_LEFT);

        Failure cause = Objects.requireNonNull(agent.reports(0, new UpMessage.StateLost(2, 7))
                .state()
                .reports()
                .stopRun());

        assertThat(cause.message()).startsWith("STATE_LOST: version 7").endsWith(": b");
        assertThat(agent.state().toRecord(agent.settings, 1).reports().stopRun())
                .isEqualTo(cause);
    }

    @Test
    void localState_isRecordedOnce_andTheRunGoesOnWhereItWas() {
        AgentFixture agent = AgentFixture.soft(1).working().reports(0, new UpMessage.Committed(7));
        agent.round(NOBODY_LEFT);

        agent.reports(0, new UpMessage.LocalStateLost(2, 7, List.of(1, 3)));

        assertThat(agent.state().checkpoints().lost())
                .containsExactly(new LostState(7, 2, List.of("b"), List.of(1, 3)));
        assertThat(agent.state().checkpoints().newest()).isEqualTo(HeldVersion.of(0, 0, 7));
        assertThat(agent.state().reports().stopRun()).isNull();
        assertThat(agent.last().reason())
                .isEqualTo(agent.state().checkpoints().lost().get(0).describe());
        AgentEffect.Log log = agent.effects(AgentEffect.Log.class).get(0);
        assertThat(log.event())
                .isEqualTo(new RunEvent.StateLocalLost(
                        new RunEvent.Worker(0, 0), new RunEvent.Loss(7, 2, List.of("b"), "restart"), List.of(1, 3)));
        agent.reports(0, new UpMessage.LocalStateLost(3, 7, List.of(3)));
        assertThat(agent.last().effects()).as("the same loss").isEmpty();
        assertThat(agent.state().checkpoints().lost()).hasSize(1);
    }

    @Test
    void localState_ofManyVersions_keepsTheFirstAndTheNewest() {
        AgentFixture agent = AgentFixture.soft(1).working();
        agent.round(NOBODY_LEFT);

        for (int version = 1; version <= 200; version++) {
            agent.reports(0, new UpMessage.LocalStateLost(2, version, List.of(1)));
        }

        assertThat(agent.state().checkpoints().lost()).hasSize(64);
        assertThat(agent.state().checkpoints().lost().get(0).version()).isEqualTo(1);
        assertThat(agent.state().checkpoints().lost().get(63).version()).isEqualTo(200);
    }

    @Test
    void state_lostInARoundThatMissedLocalState_isRecordedToo() {
        AgentFixture agent = AgentFixture.soft(1).working();
        agent.round(NOBODY_LEFT);

        agent.reports(0, new UpMessage.LocalStateLost(2, 7, List.of(1))).reports(0, new UpMessage.StateLost(2, 8));

        assertThat(agent.state().checkpoints().lost()).hasSize(2);
        assertThat(agent.state().checkpoints().newest()).isEqualTo(HeldVersion.lostIn(2));
    }

    @Test
    void localState_fail_asksForTheEndOfTheRun() {
        AgentFixture agent = AgentFixture.endingOnStateLoss(1).working().round(NOBODY_LEFT);

        Failure cause = Objects.requireNonNull(agent.reports(0, new UpMessage.LocalStateLost(2, 7, List.of(1)))
                .state()
                .reports()
                .stopRun());

        assertThat(cause.message()).startsWith("LOCAL_STATE_LOST: ");
    }

    private static NodeRecord record(AgentFixture agent) {
        return agent.state().toRecord(agent.settings, 1);
    }

    @Tag("golden")
    @Test
    void describe_eachLoss_isAsInTheGoldenFile() throws IOException {
        Round next = RoundFixture.round(2).with("c", 0, 1).version(5).build();
        LostMembers members = LostMembers.NOBODY.in(
                next, RoundFixture.round(1).with("a", 0, 1).with("b", 0, 1).build());
        GoldenFile.of(StateLostTest.class, "lost-states.txt")
                .add("all, with nodes", new LostState(7, 2, List.of("b")).describe())
                .add("all, with workers", new LostState(7, 2, List.of()).describe())
                .add("local states, with nodes", new LostState(7, 2, List.of("b"), List.of(1, 3)).describe())
                .add("local states, with workers", new LostState(7, 2, List.of(), List.of(1, 3)).describe())
                .add("the cause that workers receive", members.causeOf(next))
                .assertSame();
    }
}
