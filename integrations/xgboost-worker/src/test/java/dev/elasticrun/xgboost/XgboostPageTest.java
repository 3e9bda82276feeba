/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.xgboost.example.BoostAlone;
import dev.elasticrun.xgboost.example.BoostTogether;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The two programs of {@code docs/xgboost.md} are those that are tested here, and do the same. */
@Tag("once")
@Timeout(60)
final class XgboostPageTest {
    @TempDir
    private Path directory;

    @Test
    void page_showsBothPrograms() throws IOException {
        String page = Files.readString(Path.of("../../docs/xgboost.md"));

        for (Class<?> program : List.of(BoostAlone.class, BoostTogether.class)) {
            String source =
                    Files.readString(Path.of("src/test/java", program.getName().replace('.', '/') + ".java"));
            String body = source.substring(source.indexOf("    public static void main"), source.lastIndexOf('}'))
                    .stripTrailing();
            assertThat(page).contains(body.stripIndent());
        }
    }

    @Test
    void programs_sameData_makeTheSamePredictions() throws Exception {
        Path data = directory.resolve("rows.csv");
        Files.write(data, lines());
        Path alone = directory.resolve("alone.json");
        Path together = directory.resolve("together.json");
        BoostAlone.main(new String[] {data.toString(), alone.toString()});

        try (TestRun run = new TestRun(directory, false)) {
            TestRun.Worker worker =
                    run.worker(BoostTogether.training(new String[] {data.toString(), together.toString()})
                            .plan());
            run.open(List.of(worker));
            worker.start();
            worker.await();
        }

        DMatrix rows = TestData.rows(3, 50, 0, 1).toMatrix(5);
        assertThat(XGBoost.loadModel(together.toString()).predict(rows))
                .isDeepEqualTo(XGBoost.loadModel(alone.toString()).predict(rows));
    }

    private static List<String> lines() {
        Random random = new Random(4);
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < 200; row++) {
            float first = random.nextFloat();
            float second = random.nextFloat();
            lines.add((first > second ? 1 : 0) + "," + first + "," + second + ",0,0,0.5");
        }
        return lines;
    }
}
