/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.EventFields;
import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.rendezvous.restart.IncidentCause;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunTallyTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final RunTally tally = new RunTally();

    @Test
    void steps_fromTheFirstThatWasReported_toTheNewest() {
        see("worker.progressed", Map.of("slot", 0, "step", 40L, "total", 2000L));
        see("pause.acknowledged", Map.of("slot", 0, "step", 120L));
        see("worker.progressed", Map.of("slot", 0, "step", 100L, "total", 2000L));

        assertThat(tally.totals())
                .extracting(RunTotals::firstStep, RunTotals::lastStep, RunTotals::totalSteps)
                .containsExactly(40L, 120L, 2000L);
    }

    @Test
    void incidents_andStalls_addUp() {
        for (int i = 0; i < 2; i++) {
            tally.see(new IncidentFact.Counted(IncidentCause.WORKER_FAILED));
            tally.see(new IncidentFact.WorksAgain(RoundFixture.round(2).build(), null, false, 7, 2, 0, 0, 0, 0));
        }

        assertThat(tally.totals().incidents()).isEqualTo(2);
        assertThat(tally.totals().stalledNanos()).isEqualTo(14);
    }

    @Test
    void failure_hasTheTimeOfItsEnd_andHowFarTheWorkerWas() {
        fails(0, 0, 120, "boom", "exit_code");

        assertThat(tally.totals().failures())
                .containsExactly(new RunTotals.FailedAt(0, 0, NOW.minusMillis(5), 120, 110, 0));
    }

    @Test
    void sameFailure_atTheSameStep_isCounted_onceForEachAttempt() {
        fails(0, 0, 120, "boom", "exception");
        fails(1, 0, 120, "boom", "exception");
        fails(1, 1, 120, "boom", "exception");
        fails(0, 2, 120, "boom", "exception");

        assertThat(tally.totals().failures())
                .extracting(RunTotals.FailedAt::alike)
                .containsExactly(0, 0, 1, 2);
    }

    @Test
    void otherFailure_orAnotherStep_isNotTheSame() {
        fails(0, 0, 120, "boom", "exception");
        fails(0, 1, 121, "boom", "exception");
        fails(0, 2, 120, "bang", "exception");

        assertThat(tally.totals().failures())
                .extracting(RunTotals.FailedAt::alike)
                .containsOnly(0);
    }

    @Test
    void kills_areNoErrorOfTheProgram() {
        fails(0, 0, 120, "killed by SIGKILL (9)", "signal");
        fails(0, 1, 120, "killed by SIGKILL (9)", "signal");

        assertThat(tally.totals().failures())
                .extracting(RunTotals.FailedAt::alike)
                .containsOnly(0);
    }

    @Test
    void exitCodes_ofAProgramThatReportsNothing_areNotCompared() {
        fails(0, 0, 0, "exit code 1", "exit_code");
        fails(0, 1, 0, "exit code 1", "exit_code");

        assertThat(tally.totals().failures())
                .extracting(RunTotals.FailedAt::alike)
                .containsOnly(0);
    }

    private void fails(int slot, int attempt, long step, String message, String how) {
        see("worker.exited", Map.of("slot", slot, "attempt", attempt, "step", step, "version", Math.max(0, step - 10)));
        see("worker.failed", Map.of("slot", slot, "attempt", attempt, "how", how, "message", message, "held_ms", 5L));
    }

    private void see(String kind, Map<String, ?> fields) {
        tally.see(EventFields.parse(kind, fields), NOW);
    }
}
