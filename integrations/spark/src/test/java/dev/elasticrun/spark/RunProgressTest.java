/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which of several executors' reports counts. */
final class RunProgressTest {
    private static RunProgress of(long round, String... lines) {
        RunProgress progress = new RunProgress();
        for (String line : lines) {
            progress.at(round, line, "http://127.0.0.1:" + round + "/");
        }
        return progress;
    }

    @Test
    void report_laterOfOneRound_counts() {
        assertThat(of(1, "step 1", "step 2").value().line()).isEqualTo("step 2");
    }

    @Test
    void merge_reportOfANewerRound_counts_howeverManyTheOtherExecutorMade() {
        RunProgress old = of(1, "step 1", "step 2", "step 3");
        RunProgress fresh = of(2, "step 2 again");

        fresh.merge(old);
        assertThat(fresh.value().line()).isEqualTo("step 2 again");
        old.merge(fresh);
        assertThat(old.value().line()).isEqualTo("step 2 again");
    }

    @Test
    void rounds_areCollectedFromAllExecutors_andWrittenAsTextOfAPage() {
        RunProgress coordinator = of(2, "step 7");
        coordinator.began(1, "world 3: start");
        RunProgress next = new RunProgress();
        next.began(2, "world 2: <lost>");

        coordinator.merge(next);
        assertThat(coordinator.value().rounds())
                .containsExactly(entry(1L, "world 3: start"), entry(2L, "world 2: <lost>"));
        DriverView run = new DriverView("run-a", 3);
        assertThat(run.add(coordinator.value())).isTrue();
        assertThat(run.add(next.value())).isFalse();
        assertThat(RunsHtml.page("<app>", List.of(run)))
                .contains(
                        "&lt;app&gt;: jobs",
                        "run-a",
                        "step 7",
                        "<a href=\"http://127.0.0.1:2/\">http://127.0.0.1:2/</a>",
                        "<td>1</td><td>world 3: start</td>",
                        "<td>world 2: &lt;lost&gt;</td>");
    }

    @Test
    void runThatHasEnded_hasNoPageOfAnAgent() {
        DriverView run = new DriverView("run-a", 3);
        run.add(of(1, "step 1").value());

        run.ended("succeeded");

        assertThat(RunsHtml.page("app", List.of(run))).contains("succeeded").doesNotContain("<a href=\"http");
    }

    @Test
    void copyAndReset_isZero_asSparkNeedsIt() {
        RunProgress progress = of(1, "step 1");

        assertThat(progress.isZero()).isFalse();
        assertThat(progress.copy().value().line()).isEqualTo("step 1");
        assertThat(progress.copyAndReset().isZero()).isTrue();
    }
}
