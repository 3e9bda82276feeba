/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.StockXgboost;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A model that workers trained together is one for everybody: the distribution's own program reads it and agrees. */
@Tag("once")
@Timeout(120)
final class StockXgboostE2E {
    private static final int HOLD_OUT = 5;
    private static final double CLOSE = 1e-6;
    private static final Pattern LOG_LOSS = Pattern.compile("eval-logloss ([0-9.E-]+)[;\\n]");

    @RegisterExtension
    final TestRun run = new TestRun();

    @ParameterizedTest
    @ValueSource(strings = {"model.json", "model.ubj"})
    void model_ofTwoWorkers_isReadAndScoredTheSameByTheStockProgram(String name) throws Exception {
        Path model = run.directory().resolve(name);
        AgentProcess agent = run.agent(
                List.of("--standalone", "--nproc-per-node", "2", "--restart-policy", "soft", "--runtime", "xgboost"),
                List.of(
                        "samples/target/elastic-samples.jar",
                        "xgboost-train",
                        "--data",
                        "samples/data/breast-cancer.libsvm",
                        "--hold-out",
                        Integer.toString(HOLD_OUT),
                        "--rounds",
                        "20",
                        "--model-out",
                        model.toString()));
        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        Path shipped = BreastCancer.FILE.resolveSibling("breast-cancer.libsvm");
        LabelledRows rows = new RowFile(shipped, new LibsvmFormat(0), HOLD_OUT).heldOut(Shard.WHOLE);

        float[] stock = StockXgboost.predict(model, heldOut(shipped), run.directory());

        float[] own = Predictions.of(model, rows);
        assertThat(stock).hasSize(114).hasSameSizeAs(own);
        for (int row = 0; row < own.length; row++) {
            assertThat((double) stock[row]).as("row %d", row).isCloseTo(own[row], within(CLOSE));
        }
        assertThat(Predictions.score(stock, rows.labels()).logLoss()).isCloseTo(reported(agent), within(CLOSE));
    }

    private Path heldOut(Path shipped) throws IOException {
        List<String> lines = Files.readAllLines(shipped);
        List<String> kept = new ArrayList<>();
        for (int row = 0; row < lines.size(); row += HOLD_OUT) {
            kept.add(lines.get(row));
        }
        return Files.write(run.directory().resolve("held-out.libsvm"), kept);
    }

    private static double reported(AgentProcess agent) {
        Matcher matcher = LOG_LOSS.matcher(String.join("\n", agent.workerOutputs()));
        assertThat(matcher.find()).as(agent::console).isTrue();
        return Double.parseDouble(matcher.group(1));
    }
}
