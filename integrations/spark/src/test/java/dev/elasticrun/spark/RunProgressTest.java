/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which of several executors' reports counts. */
final class RunProgressTest {
    private static RunProgress of(long round, String... lines) {
        RunProgress progress = new RunProgress();
        for (String line : lines) {
            progress.report(round, line);
        }
        return progress;
    }

    @Test
    void report_laterOfOneRound_counts() {
        assertThat(of(1, "step 1", "step 2").value()).hasToString("step 2");
    }

    @Test
    void merge_reportOfANewerRound_counts_howeverManyTheOtherExecutorMade() {
        RunProgress old = of(1, "step 1", "step 2", "step 3");
        RunProgress fresh = of(2, "step 2 again");

        fresh.merge(old);
        assertThat(fresh.value()).hasToString("step 2 again");
        old.merge(fresh);
        assertThat(old.value()).hasToString("step 2 again");
    }

    @Test
    void copyAndReset_isZero_asSparkNeedsIt() {
        RunProgress progress = of(1, "step 1");

        assertThat(progress.isZero()).isFalse();
        assertThat(progress.copy().value()).hasToString("step 1");
        assertThat(progress.copyAndReset().isZero()).isTrue();
    }
}
