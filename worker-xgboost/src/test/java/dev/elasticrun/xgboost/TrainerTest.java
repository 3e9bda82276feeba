/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The loop with real groups of XGBoost; workers are threads. */
@Timeout(120)
final class TrainerTest {
    private static final int ROUNDS = 8;
    private static final Map<String, Object> PARAMETERS =
            Map.of("objective", "binary:logistic", "max_depth", 3, "tree_method", "hist", "nthread", 1, "verbosity", 0);

    @TempDir
    Path directory;

    @Test
    void work_twoWorkers_haveOneModel() throws Exception {
        try (TestRun run = new TestRun(directory, false)) {
            List<TrainedModel> models = train(run, PARAMETERS, 2);

            assertThat(models.get(0).bytes()).isEqualTo(models.get(1).bytes());
            assertThat(models.get(0).rounds()).isEqualTo(ROUNDS);
            assertThat(models.get(0).runRounds()).isOne();
            assertThat(models.get(0).metrics().keySet()).containsExactly("train-logloss", "eval-logloss");
            assertThat(models.get(0).metric("eval-logloss")).isBetween(0.0, 0.6);
        }
    }

    private static List<TrainedModel> train(TestRun run, Map<String, Object> parameters, int workers) throws Exception {
        List<TestRun.Worker> members = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            members.add(run.worker(plan(parameters).plan()));
        }
        run.open(members);
        members.forEach(TestRun.Worker::start);
        List<TrainedModel> models = new ArrayList<>();
        for (TestRun.Worker member : members) {
            models.add(member.await());
        }
        return models;
    }

    private static XgboostTraining.Builder plan(Map<String, Object> parameters) {
        return XgboostTraining.builder(parameters, ROUNDS)
                .train((shard, shards) -> rows(1, 600, shard, shards))
                .evaluate("eval", (shard, shards) -> rows(2, 200, shard, shards));
    }

    /** Five numbers, of which two say what the label is most of the time. */
    private static Rows rows(long seed, int count, int shard, int shards) {
        Random random = new Random(seed);
        List<float[]> mine = new ArrayList<>();
        List<Float> labels = new ArrayList<>();
        for (int row = 0; row < count; row++) {
            float[] values = new float[5];
            for (int column = 0; column < values.length; column++) {
                values[column] = random.nextFloat();
            }
            boolean label = values[0] * values[3] + 0.1 * random.nextGaussian() > 0.25;
            if (row % shards == shard) {
                mine.add(values);
                labels.add(label ? 1F : 0F);
            }
        }
        float[] flat = new float[mine.size() * 5];
        float[] truth = new float[mine.size()];
        for (int row = 0; row < truth.length; row++) {
            System.arraycopy(mine.get(row), 0, flat, row * 5, 5);
            truth[row] = labels.get(row);
        }
        return Rows.dense(flat, 5, Float.NaN, truth);
    }
}
