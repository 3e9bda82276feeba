/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.schema.SchemaFile;
import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.rule.StoppingRule;
import dev.elasticrun.tune.space.Domain;
import dev.elasticrun.tune.space.Parameter;
import dev.elasticrun.tune.space.SearchSpace;
import dev.elasticrun.tune.trial.TrialTable;
import dev.elasticrun.worker.contract.TrialFiles;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
