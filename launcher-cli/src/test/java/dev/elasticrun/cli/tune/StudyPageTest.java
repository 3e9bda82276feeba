/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.schema.SchemaFile;
import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.rule.StoppingRule;
import dev.elasticrun.tune.space.Domain;
import dev.elasticrun.tune.space.Parameter;
import dev.elasticrun.tune.space.SearchSpace;
import dev.elasticrun.tune.trial.PoolTimeline;
import dev.elasticrun.tune.trial.TrialTable;
import dev.elasticrun.worker.contract.TrialFiles;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class StudyPageTest {
    private static final SearchSpace SPACE = new SearchSpace(List.of(
            Parameter.of("eta", new Domain.Uniform(0, 1)),
            Parameter.of("kind", new Domain.Choice(List.of("<a>", "b")))));

    private final TrialTable table = new TrialTable(new Objective("auc", Objective.Mode.MAX), StoppingRule.NONE);

    @Test
    void results_areATable_aFileForOthers_andAPageOfPictures() throws Exception {
        table.begin(1, parameters(0.25, "<a>"));
        table.begin(2, parameters(0.5, "b"));
        table.begin(3, parameters(0.75, "b"));
        report(1, 1, 0.5);
        report(1, 2, 0.75);
        report(2, 1, Double.NaN);
        table.end(1, Optional.empty());
        table.end(3, Optional.of("exit code 1, \"out of memory\""));

        StudyResults results = new StudyResults(table);
        assertThat(results.text()).isEqualTo("""
                        trial  state      step  auc       parameters
                        1      completed  2     0.750000  eta=0.25000 kind=<a>
                        2      running    1     -         eta=0.50000 kind=b
                        3      failed     -     -         eta=0.75000 kind=b
                        best: trial 1, auc 0.75 at step 2, eta=0.25000 kind=<a>
                        """);
        assertThat(results.csv().split("\r\n"))
                .containsExactly(
                        "trial,state,step,auc,reason,eta,kind",
                        "1,completed,2,0.75,,0.25,<a>",
                        "2,running,1,,,0.5,b",
                        "3,failed,,,\"exit code 1, \"\"out of memory\"\"\",0.75,b");
        SchemaFile.of("study.json").assertDescribes(results.json());
        assertThat(results.json())
                .contains("\"best\" : 1")
                .contains("\"values\" : [ 0.5, 0.75 ]")
                .contains("\"NaN\"");

        String page = StudyPage.of("s", table, SPACE);
        assertThat(page)
                .contains(
                        "<title>study s</title>",
                        "Learning curves: auc by step",
                        "trial 1: eta=0.25000 kind=&lt;a&gt;");
        String body = page.substring(page.indexOf("<body>"), page.indexOf("</html>"));
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(body)));
        assertThat(page.split("class=\"trial best\"", -1))
                .as("in both pictures")
                .hasSize(3);
    }

    @Test
    void pool_isDrawnOverTime_agentByAgent() throws Exception {
        table.begin(1, parameters(0.25, "b"));
        table.begin(2, parameters(0.5, "b"));
        report(1, 1, 0.5);
        table.end(1, Optional.empty());
        table.end(2, Optional.of("exit code 1"));
        moment(1, 0, Map.of("a", 0, "b", 0));
        moment(2, 1, Map.of("a", 1, "b", 2));
        moment(3, 3, Map.of("a", 1, "b", 0));
        moment(4, 4, Map.of("a", 1, "b", 1));
        moment(5, 5, Map.of("a", 0));

        String page = StudyPage.of("s", table, SPACE);

        assertThat(page)
                .contains("agent 1", "agent 2", "5.0 s")
                .contains("class=\"bar best\" x=\"260.0\"", "<title>trial 1, 4.0 s, agent a</title>")
                .contains("class=\"bar failed\" x=\"260.0\"", "<title>trial 2, 2.0 s, agent b</title>")
                .contains("<title>trial 1, 1.0 s, agent b</title>");
        assertThat(page.split("class=\"bar ", -1)).hasSize(4);
        assertThat(new StudyResults(table).json()).contains("\"at\" : \"1970-01-01T00:00:03Z\"");
        SchemaFile.of("study.json").assertDescribes(new StudyResults(table).json());
        String body = page.substring(page.indexOf("<body>"), page.indexOf("</html>"));
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(body)));
    }

    private void moment(int number, long second, Map<String, Integer> agents) {
        table.pool().put(number, new PoolTimeline.Moment(Instant.ofEpochSecond(second), new TreeMap<>(agents)));
    }

    @Test
    void pageOfAStudyThatRuns_isWrittenWhenSomethingHasChanged_andNotTooOften() {
        AtomicLong nanos = new AtomicLong();
        AtomicInteger writes = new AtomicInteger();
        LivePage live = new LivePage(ignored -> writes.incrementAndGet(), nanos::get);
        table.begin(1, parameters(0.25, "b"));

        live.look(table);
        assertThat(writes).as("too soon").hasValue(0);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(3));
        live.look(table);
        live.look(table);
        assertThat(writes).hasValue(1);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(3));
        live.look(table);
        assertThat(writes).as("no change").hasValue(1);
        report(1, 1, 0.5);
        live.look(table);
        assertThat(writes).hasValue(2);
    }

    @Test
    void pageThatCannotBeWritten_isTriedAgain_andTheStudyGoesOn() {
        AtomicLong nanos = new AtomicLong();
        AtomicInteger writes = new AtomicInteger();
        LivePage live = new LivePage(
                ignored -> {
                    if (writes.incrementAndGet() == 1) {
                        throw new UncheckedIOException(new IOException("no space left on device"));
                    }
                },
                nanos::get);
        table.begin(1, parameters(0.25, "b"));

        for (int look = 0; look < 3; look++) {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(3));
            live.look(table);
        }

        assertThat(writes).hasValue(2);
    }

    @Test
    void study_withoutAReport_hasAPage() {
        assertThat(StudyPage.of("s", table, SPACE)).contains("best: none");
    }

    /** In the order of the space. */
    private static Map<String, Object> parameters(double eta, String kind) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("eta", eta);
        parameters.put("kind", kind);
        return parameters;
    }

    private void report(int trial, long step, double value) {
        table.report(trial, new TrialFiles.Report(step, Map.of("auc", value)));
    }
}
