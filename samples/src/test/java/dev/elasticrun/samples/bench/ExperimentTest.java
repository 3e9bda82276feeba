/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.elasticrun.rendezvous.golden.GoldenFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

@Tag("once")
final class ExperimentTest {
    private static final List<Outcome> GOOD = outcomes(
            "baseline 20.0 0.30 0.12 NaN 0.05",
            "fewer1 19.0 0.31 0.13 0.2 0.1",
            "nonelastic1 27.0 0.30 0.12 4.9 0.1",
            "elastic1 20.6 0.301 0.12 0.31 0.7",
            "elastic2 21.8 0.302 0.12 0.62 0.7",
            "baseline 20.4 0.30 0.12 NaN 0.06");

    /** With the ratios that were published; of baselines that differ, nothing is judged. */
    @Tag("golden")
    @Test
    void tableAndVerdicts_areAsInTheGoldenFile() throws IOException {
        List<Outcome> otherLoss =
                outcomes("baseline 20 0.3 0 NaN 0", "baseline 20 0.3 0 NaN 0", "nonelastic2 27 0.30000001 0 5 0");
        List<Outcome> baselinesThatDiffer =
                outcomes("baseline 20 0.3 0.1 NaN 0", "baseline 22.1 0.3 0.1 NaN 0", "elastic1 30 0 0 9 9");
        GoldenFile.of(ExperimentTest.class, "experiment.txt")
                .add("table", new Experiment(GOOD).table())
                .add("kept and missed", verdict(GOOD))
                .add("another log loss", verdict(otherLoss))
                .add("baselines that differ", verdict(baselinesThatDiffer))
                .add("one baseline", verdict(outcomes("baseline 20 0.3 0.1 NaN 0")))
                .assertSame();
    }

    private static String verdict(List<Outcome> outcomes) {
        return String.join("\n", new Experiment(outcomes).verdict());
    }

    @Test
    void publishedRatios_areThoseOfTheTable() {
        assertThat(Experiment.publishedRatio(new Trial(Trial.Condition.NON_ELASTIC, 2)))
                .isEqualTo(1.54, within(0.005));
        assertThat(Experiment.publishedRatio(new Trial(Trial.Condition.ELASTIC, 3)))
                .isEqualTo(0.87, within(0.005));
        assertThat(Experiment.publishedRatio(Trial.BASELINE)).isEqualTo(1);
    }

    @Test
    void trials_areNamed_andOthersRefused() {
        assertThat(Trial.parse("baseline,nonelastic3,elastic1"))
                .containsExactly(
                        Trial.BASELINE,
                        new Trial(Trial.Condition.NON_ELASTIC, 3),
                        new Trial(Trial.Condition.ELASTIC, 1));
        assertThat(Trial.parse("all")).hasSize(11).startsWith(Trial.BASELINE).endsWith(Trial.BASELINE);
        assertThatThrownBy(() -> Trial.parse("elastic4"))
                .hasMessageStartingWith("trial: elastic4 (expected: all, or some of baseline,fewer1,");
        assertThatThrownBy(() -> new Trial(Trial.Condition.ELASTIC, 0)).hasMessageStartingWith("affected: 0");
        assertThatThrownBy(() -> new Trial(Trial.Condition.BASELINE, 1)).hasMessageStartingWith("affected: 1");
    }

    @Test
    void outcomes_areKeptInLines() {
        for (Outcome outcome : GOOD) {
            assertThat(Outcome.parse(outcome.line())).isEqualTo(outcome);
        }
        assertThatThrownBy(() -> Outcome.parse("elastic1 20")).hasMessageStartingWith("outcome: 'elastic1 20'");
    }

    @Test
    void plot_isWellFormed_withABarForEachMeasurementAndAMarkForEachPublication() throws Exception {
        String svg = ExperimentPlot.svg(new Experiment(GOOD));

        Document document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
        assertThat(document.getElementsByTagName("rect").getLength())
                .as("page, legend, bars")
                .isEqualTo(2 + 5);
        assertThat(document.getElementsByTagName("path").getLength())
                .as("legend, marks")
                .isEqualTo(1 + 10);
        assertThat(svg).contains(">1.34<", ">1.02<", ">non-elastic<", ">3 killed<");
    }

    @Test
    void progress_pauses_areAboveAUsualRound() {
        BoostingProgress progress = new BoostingProgress();
        assertThat(progress.laterPause()).isNaN();
        long[] millis = {1000, 1080, 1160, 1240, 1700, 1780, 1860, 5000, 5080};
        StringBuilder printed = new StringBuilder();
        for (int at = 0; at < millis.length; at++) {
            printed.append("step ").append(at + 1).append("/9 eval-logloss 0.5 world 4 round 1\n");
            progress.see(List.of("other output\n", printed.toString()), millis[at] * 1_000_000);
            progress.see(List.of(printed.toString()), millis[at] * 1_000_000 + 1);
        }
        assertThat(progress.reached()).isEqualTo(9);
        assertThat(progress.recovery()).isNaN();
        assertThat(progress.laterPause()).isEqualTo(3.06, within(1e-9));
        // The round that was nearly done is seen to end after the kill.
        progress.killed(1_200_000_000);
        assertThat(progress.recovery()).isEqualTo(0.38, within(1e-9));
        assertThat(progress.laterPause()).isEqualTo(3.06, within(1e-9));
    }

    private static List<Outcome> outcomes(String... lines) {
        return List.of(lines).stream().map(Outcome::parse).toList();
    }
}
