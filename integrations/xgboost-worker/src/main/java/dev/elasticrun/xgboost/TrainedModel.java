/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/**
 * The result, the same on all ranks.
 *
 * @param bytes the model in XGBoost's UBJ format; not to be changed
 * @param rounds boosting rounds that made it
 * @param bestRound the round, from 0, after which the last metric of the last evaluation set was best
 * @param metrics values after each round, by name, in XGBoost's order
 * @param runRounds rounds of the run in which boosting rounds were done that are part of the model
 */
public record TrainedModel(byte[] bytes, int rounds, int bestRound, Map<String, double[]> metrics, int runRounds) {

    /** The last value of a metric, as {@code eval-logloss}. */
    public double metric(String name) {
        double[] values = metrics.get(name);
        if (values == null) {
            throw new IllegalArgumentException("metric: " + name + " (expected: one of " + metrics.keySet() + ")");
        }
        return values[values.length - 1];
    }

    /** In hexadecimal digits. */
    public String sha256() {
        return Digests.hex(bytes);
    }

    /** The model, to predict with. */
    public Booster booster() throws XGBoostError, IOException {
        return XGBoost.loadModel(bytes);
    }

    /**
     * Writes it for any program that reads models of XGBoost: as JSON if the name ends with {@code .json}, else as UBJ. The
     * file is there whole or not at all.
     */
    public void write(Path file) throws XGBoostError, IOException {
        Path name = file.getFileName();
        if (name == null) {
            throw new IllegalArgumentException("model file: '" + file + "' (expected: a path with a name)");
        }
        byte[] content = bytes;
        if (name.toString().endsWith(".json")) {
            Booster booster = booster();
            content = booster.toByteArray("json");
            booster.dispose();
        }
        Path absolute = file.toAbsolutePath();
        Path temporary =
                absolute.resolveSibling(name + "." + ProcessHandle.current().pid() + ".tmp");
        try {
            Files.write(temporary, content);
            Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
