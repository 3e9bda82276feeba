/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import java.util.HashMap;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.Communicator;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.RabitTracker;
import ml.dmlc.xgboost4j.java.XGBoost;

/**
 * A program for XGBoost alone, as one for Kubeflow's runtime: reads the variables, rank 0 starts the tracker where they
 * require, and all train together. Knows nothing of elastic-run.
 */
final class OwnTrackerProgram {
    private static final int TIMEOUT_SECONDS = 20;

    private OwnTrackerProgram() {}

    public static void main(String[] args) throws Exception {
        Map<String, String> environment = System.getenv();
        int workers = Integer.parseInt(environment.getOrDefault("DMLC_NUM_WORKER", ""));
        String host = environment.getOrDefault("DMLC_TRACKER_URI", "");
        int port = Integer.parseInt(environment.getOrDefault("DMLC_TRACKER_PORT", ""));
        int rank = Integer.parseInt(environment.getOrDefault("DMLC_TASK_ID", ""));
        RabitTracker tracker = null;
        if (rank == 0) {
            tracker = new RabitTracker(workers, host, port, TIMEOUT_SECONDS);
            if (!tracker.start()) {
                throw new IllegalStateException("the tracker does not start at " + host + ":" + port);
            }
        }
        Communicator.init(Map.of(
                "dmlc_communicator",
                "rabit",
                "dmlc_tracker_uri",
                host,
                "dmlc_tracker_port",
                port,
                "dmlc_task_id",
                Integer.toString(rank),
                "dmlc_retry",
                20,
                "dmlc_timeout",
                TIMEOUT_SECONDS));
        Booster booster = train(rank);
        System.out.println("of " + Communicator.getWorldSize() + " model "
                + java.util.Arrays.hashCode(booster.toByteArray("ubj")));
        Communicator.shutdown();
        if (tracker != null) {
            // Until all have shut down: who stops it before fails.
            tracker.waitFor(TIMEOUT_SECONDS);
            tracker.stop();
        }
    }

    /** Each rank has other rows. */
    private static Booster train(int rank) throws Exception {
        float[] rows = new float[100];
        float[] labels = new float[rows.length];
        for (int row = 0; row < rows.length; row++) {
            rows[row] = row + 0.5f * rank;
            labels[row] = row < 50 ? 0 : 1;
        }
        DMatrix matrix = new DMatrix(rows, rows.length, 1, Float.NaN);
        matrix.setLabel(labels);
        Map<String, Object> parameters =
                new HashMap<>(Map.of("objective", "binary:logistic", "nthread", 1, "max_depth", 2));
        return XGBoost.train(matrix, parameters, 3, Map.of("train", matrix), null, null);
    }
}
