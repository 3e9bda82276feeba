/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Rows of numbers with commas between them, the label first. */
public record Table(float[] values, int columns, float[] labels) {

    /** Every row whose number has that remainder. */
    public static Table read(Path file, int shard, int shards) throws IOException {
        List<String> lines = Files.readAllLines(file);
        int columns = lines.get(0).split(",", -1).length - 1;
        int rows = (lines.size() - shard + shards - 1) / shards;
        float[] values = new float[rows * columns];
        float[] labels = new float[rows];
        for (int row = 0; row < rows; row++) {
            String[] cells = lines.get(row * shards + shard).split(",", -1);
            labels[row] = Float.parseFloat(cells[0]);
            for (int column = 0; column < columns; column++) {
                values[row * columns + column] = Float.parseFloat(cells[column + 1]);
            }
        }
        return new Table(values, columns, labels);
    }
}
