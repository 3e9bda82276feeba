/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.cli.runs.RunSummary;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class IndexPageTest {
    private static final Instant BEGAN = Instant.parse("2026-03-01T10:00:00Z");

    private static RunSummary run(String name, RunSummary.State state, String reason) {
        return new RunSummary(
                name,
                Optional.of(Path.of("/logs", name)),
                state,
                new RunSummary.Span(Optional.of(BEGAN), Optional.of(BEGAN.plusSeconds(90)), reason, 0),
                new TreeSet<>(List.of("a", "b")),
                "soft",
                new RunSummary.Work(3, 4, 50, 100, 1));
    }

    private static String page(RunSummary... runs) {
        return IndexPage.of("/logs", List.of(runs), BEGAN.plusSeconds(30), ZoneOffset.UTC);
    }

    @Test
    void states_haveAWordAndAClass() {
        for (RunSummary.State state : RunSummary.State.values()) {
            assertThat(page(run("job", state, "")))
                    .contains("class=\"run-state " + state.text() + "\"")
                    .contains(" " + state.text() + "</span>");
        }
    }

    @Test
    void row_hasWhatTheSummaryHas() {
        assertThat(page(run("job", RunSummary.State.FAILED, "no restart is left")))
                .contains("href=\"run/job/\"")
                .contains("<td>2026-03-01 10:00:00</td>", ">50 of 100<", "<td>no restart is left</td>");
    }

    @Test
    void namesAndReasons_areNeverMarkup() {
        assertThat(page(run("a b<&\"/..", RunSummary.State.LEFT, "<script>")))
                .contains("href=\"run/a%20b%3C%26%22%2F../\"", "a b&lt;&amp;&quot;/..", "&lt;script&gt;")
                .doesNotContain("<script>");
    }

    @Test
    void noRuns_isReported() {
        assertThat(page()).contains("0 runs", "No directory here has events of a run.");
    }
}
