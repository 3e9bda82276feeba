/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import java.util.Map;
import java.util.Random;

/** A small training. */
final class TestData {
    static final Map<String, Object> PARAMETERS =
            Map.of("objective", "binary:logistic", "max_depth", 3, "tree_method", "hist", "nthread", 1, "verbosity", 0);

    private static final int COLUMNS = 5;

    private TestData() {}

    static XgboostTraining.Builder training(int rounds) {
        return training(PARAMETERS, rounds);
    }

    static XgboostTraining.Builder training(Map<String, Object> parameters, int rounds) {
        return XgboostTraining.builder(parameters, rounds)
                .train((shard, shards) -> rows(1, 600, shard, shards))
                .evaluate("eval", (shard, shards) -> rows(2, 200, shard, shards));
    }

    /** Five numbers, of which two decide what the label is most of the time. */
    static Rows rows(long seed, int count, int shard, int shards) {
        Random random = new Random(seed);
        int mine = (count - shard + shards - 1) / shards;
        float[] values = new float[mine * COLUMNS];
        float[] labels = new float[mine];
        for (int row = 0; row < count; row++) {
            float[] drawn = new float[COLUMNS];
            for (int column = 0; column < COLUMNS; column++) {
                drawn[column] = random.nextFloat();
            }
            boolean label = drawn[0] * drawn[3] + 0.1 * random.nextGaussian() > 0.25;
            if (row % shards == shard) {
                System.arraycopy(drawn, 0, values, row / shards * COLUMNS, COLUMNS);
                labels[row / shards] = label ? 1F : 0F;
            }
        }
        return Rows.dense(values, COLUMNS, Float.NaN, labels);
    }

    /** Of which no model knows anything. */
    static Rows noise(int count, int shard, int shards) {
        Random random = new Random(7L * shards + shard);
        float[] values = new float[count * COLUMNS];
        float[] labels = new float[count];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat();
        }
        for (int i = 0; i < labels.length; i++) {
            labels[i] = random.nextBoolean() ? 1F : 0F;
        }
        return Rows.dense(values, COLUMNS, Float.NaN, labels);
    }
}
