/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.context.RetryLimits;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.worker.contract.UpMessage;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ProgressRulesTest {
    private final AgentFixture agent =
            AgentFixture.soft(1, new RetryLimits(Set.of(), 3)).working();

    @Test
    void round_asManyIncidentsWithoutACheckpoint_endTheRunWithACodeOfTheirOwn() {
        incidents(2, 3);
        assertThat(agent.state().reports().stopRun()).isNull();

        incidents(4, 4);

        Failure request = requireNonNull(agent.state().reports().stopRun());
        assertThat(request.pid()).isZero();
        assertThat(request.exitCode()).isEqualTo(6);
        assertThat(request.message()).contains("3 incidents", "version: 0,", "--no-progress-limit is 3");
        assertThat(agent.logged()).contains("run.stop_requested");
    }

    @Test
    void round_checkpointBetweenIncidents_countsAnew() {
        incidents(2, 3);
        agent.reports(0, new UpMessage.Committed(1));
        incidents(4, 6);

        assertThat(agent.state().reports().stopRun()).isNull();
        assertThat(agent.state().rounds().budget().incidents()).isEqualTo(2);
    }

    @Test
    void round_checkpointAfterAllWasLost_countsAnewButTheLossDoesNot() {
        agent.reports(0, new UpMessage.Committed(7));
        incidents(2, 3);
        agent.reports(0, new UpMessage.StateLost(3, 7));
        incidents(4, 4);
        assertThat(agent.state().rounds().budget().incidents()).isEqualTo(2);

        agent.reports(0, new UpMessage.Committed(1));
        incidents(5, 5);

        assertThat(agent.state().rounds().budget().incidents()).isZero();
    }

    @Test
    void round_suspendedAndThenSealed_countsOnce() {
        agent.round(RoundFixture.round(2).with("a", 0, 1).suspended());
        incidents(2, 2);

        assertThat(agent.state().rounds().budget().incidents()).isEqualTo(1);
    }

    @Test
    void round_askedForByACommand_isNoIncident() {
        incidents(2, 3);
        agent.round(RoundFixture.round(3).with("a", 0, 1).with("b", 0, 1).command(1));
        agent.round(RoundFixture.round(4).with("a", 0, 1).command(1).suspended());
        agent.round(RoundFixture.round(4).with("a", 0, 1).command(1));
        agent.round(RoundFixture.round(5).with("a", 0, 1).command(2));
        assertThat(agent.state().rounds().budget().incidents()).isEqualTo(2);

        agent.round(RoundFixture.round(6).with("a", 0, 1).command(2));

        assertThat(agent.state().rounds().budget().incidents()).isEqualTo(3);
    }

    @Test
    void round_noLimit_endsNothing() {
        AgentFixture patient = AgentFixture.soft(1).working();
        for (int number = 2; number < 100; number++) {
            patient.round(RoundFixture.round(number).with("a", 0, 1));
        }

        assertThat(patient.state().reports().stopRun()).isNull();
    }

    private void incidents(int first, int last) {
        for (int number = first; number <= last; number++) {
            agent.round(RoundFixture.round(number).with("a", 0, 1).with("b", 0, 1));
        }
    }
}
