/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.rendezvous.store.FetchedPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The {@code xgboost} command of the distribution: another program than ours, and another version of the library. */
public final class StockXgboost {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private StockXgboost() {}

    /**
     * What it predicts for each row.
     *
     * @param model file in any of XGBoost's formats
     * @param rows file in LIBSVM form, indices from 0
     * @param directory for files of its own
     */
    public static float[] predict(Path model, Path rows, Path directory) {
        Path program = FetchedPrograms.directory("xgboost", List.of("xgboost"), List.of("xgboost"))
                .resolve("xgboost");
        try {
            // It wants a configuration, and then takes everything from the command line.
            Path configuration = Files.writeString(directory.resolve("stock.conf"), "");
            Path predictions = directory.resolve("stock.txt");
            Command.Result result = Command.run(
                    Map.of(),
                    LIMIT,
                    List.of(
                            program.toString(),
                            configuration.toString(),
                            "task=pred",
                            "nthread=1",
                            "model_in=" + model,
                            "test:data=" + rows + "?format=libsvm",
                            "name_pred=" + predictions));
            if (result.exitCode() != 0) {
                throw new IllegalStateException(
                        program + " ended with " + result.exitCode() + "; it printed:\n" + result.output());
            }
            List<String> lines = Files.readAllLines(predictions);
            float[] predicted = new float[lines.size()];
            for (int row = 0; row < predicted.length; row++) {
                predicted[row] = Float.parseFloat(lines.get(row));
            }
            return predicted;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
