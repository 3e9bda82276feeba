/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;

/** Rows in LIBSVM form on both sides of a hyperplane, some of them with the wrong label. The same rows each time. */
final class Hyperplane {
    private static final long SEED = 20;
    private static final int COLUMNS = 20;
    private static final double WRONG = 0.05;

    private Hyperplane() {}

    static void write(Path file, int rows) throws IOException {
        Random random = new Random(SEED);
        double[] normal = new double[COLUMNS];
        for (int column = 0; column < COLUMNS; column++) {
            normal[column] = random.nextGaussian();
        }
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int row = 0; row < rows; row++) {
                double side = 0;
                StringBuilder line = new StringBuilder();
                for (int column = 0; column < COLUMNS; column++) {
                    // What is written is what counts: rounded to five digits.
                    double value = Math.round(random.nextDouble() * 100_000) / 100_000.0;
                    side += (value - 0.5) * normal[column];
                    line.append(String.format(Locale.ROOT, " %d:%.5f", column, value));
                }
                boolean isAbove = side > 0 != random.nextDouble() < WRONG;
                out.append(isAbove ? "1" : "0").append(line).append('\n');
            }
        }
    }
}
