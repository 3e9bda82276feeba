/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.rule.AshaRule;
import dev.elasticrun.tune.rule.StoppingRule;
import dev.elasticrun.worker.contract.TrialFiles;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TrialTableTest {
    private final TrialTable table = new TrialTable(new Objective("auc", Objective.Mode.MAX), new AshaRule(2, 2));

    @Test
    void trial_isJudgedAtItsRungs() {
        table.begin(1, Map.of());
        table.begin(2, Map.of());
        assertThat(control(1)).isEqualTo(new TrialFiles.Control(2, false));

        report(1, 1, 0.5);
        assertThat(control(1)).isEqualTo(new TrialFiles.Control(2, false));
        report(1, 2, 0.7);
        assertThat(control(1)).isEqualTo(new TrialFiles.Control(4, false));
        report(2, 2, 0.6);
        assertThat(control(2)).isEqualTo(new TrialFiles.Control(2, true));

        table.end(2, Optional.empty());
        table.end(1, Optional.empty());
        assertThat(trial(2).phase()).isEqualTo(TrialPhase.STOPPED);
        assertThat(trial(1).phase()).isEqualTo(TrialPhase.COMPLETED);
        assertThat(table.best()).contains(trial(1));
    }

    @Test
    void stepThatIsReportedAgain_countsOnce() {
        table.begin(1, Map.of());
        report(1, 1, 0.5);
        report(1, 2, 0.7);
        report(1, 1, 0.9);
        report(1, 2, 0.1);

        assertThat(trial(1).curve().losses()).isEqualTo(Map.of(1L, -0.5, 2L, -0.7));
        assertThat(control(1)).isEqualTo(new TrialFiles.Control(4, false));
    }

    @Test
    void metricThatIsNeverReported_isNamed_andTheTrialEndsWhereItIsJudged() {
        table.begin(1, Map.of());
        table.report(1, new TrialFiles.Report(2, Map.of("loss", 0.1, "error", 0.2)));
        assertThat(control(1).stop()).isTrue();

        table.end(1, Optional.empty());
        assertThat(trial(1).phase()).isEqualTo(TrialPhase.FAILED);
        assertThat(trial(1).reason()).isEqualTo("metric auc was never reported (reported: error, loss)");
        assertThat(table.best()).isEmpty();
    }

    @Test
    void whatIsNotANumber_isWorst_andNeverBest() {
        table.begin(1, Map.of());
        table.begin(2, Map.of());
        report(1, 2, 0.1);
        report(2, 2, Double.NaN);

        assertThat(control(1).stop()).isFalse();
        assertThat(control(2).stop()).isTrue();
        assertThat(table.best()).contains(trial(1));
    }

    @Test
    void failure_isKept_andALaterReportChangesNothing() {
        TrialTable free = new TrialTable(new Objective("loss", Objective.Mode.MIN), StoppingRule.NONE);
        free.begin(1, Map.of());
        free.end(1, Optional.of("exit code 1"));
        free.report(1, new TrialFiles.Report(1, Map.of("loss", 0.1)));

        assertThat(free.trial(1).orElseThrow().phase()).isEqualTo(TrialPhase.FAILED);
        assertThat(free.trial(1).orElseThrow().reason()).isEqualTo("exit code 1");
        assertThat(free.best()).isEmpty();
    }

    private void report(int trial, long step, double value) {
        table.report(trial, new TrialFiles.Report(step, Map.of("auc", value)));
    }

    private Trial trial(int number) {
        return table.trial(number).orElseThrow();
    }

    private TrialFiles.Control control(int number) {
        return trial(number).control();
    }
}
