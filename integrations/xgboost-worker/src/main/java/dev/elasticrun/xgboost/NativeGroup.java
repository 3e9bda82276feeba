/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.contract.WorkerInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.Communicator;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.jspecify.annotations.Nullable;

/**
 * This worker's part in XGBoost's group of one round: its connections, matrices and booster, all made together and dropped
 * together. After an error, and before anything else, it must be left: peers in native code wait until the connections
 * of this worker break. One platform thread: the native side keeps the group with it.
 */
final class NativeGroup {
    private static final System.Logger LOGGER = System.getLogger(NativeGroup.class.getName());

    private final TrainingPlan plan;
    private final List<DMatrix> matrices = new ArrayList<>();
    private @Nullable Booster booster;
    private boolean isJoined;
    private long runRound;

    NativeGroup(TrainingPlan plan) {
        this.plan = plan;
    }

    /**
     * Joins the others, and makes matrices and booster anew, as all of them do.
     *
     * @param place this worker's rank within XGBoost
     * @param model the model from which boosting continues; empty = none
     * @param rows of each data set
     * @param columns of all ranks' rows
     */
    void form(WorkerInfo info, int place, byte[] model, List<Rows> rows, int columns) throws XGBoostError {
        runRound = info.round();
        if (info.worldSize() > 1) {
            Map<String, Object> arguments = CommunicatorArguments.of(info, place, plan.timeout());
            isJoined = true;
            Communicator.init(arguments);
            if (Communicator.getWorldSize() != info.worldSize()) {
                throw new XGBoostError("workers in XGBoost's group: " + Communicator.getWorldSize() + " (expected: "
                        + info.worldSize() + ")");
            }
        }
        for (Rows each : rows) {
            matrices.add(each.toMatrix(columns));
        }
        booster = model.length == 0 ? newBooster() : loaded(model);
    }

    /** Whether boosting is possible. */
    boolean isFormed() {
        return booster != null;
    }

    /** The round of the run in which the group was formed. */
    long runRound() {
        return runRound;
    }

    /**
     * One boosting round.
     *
     * @param iteration boosting rounds before it, of whatever group
     * @return the metrics that XGBoost then returns for the model
     */
    Map<String, Double> boost(int iteration) throws XGBoostError {
        Booster current = booster();
        current.update(matrices.get(0), iteration);
        return Metrics.parse(current.evalSet(
                matrices.toArray(DMatrix[]::new), plan.data().names().toArray(String[]::new), iteration));
    }

    /** The model in UBJ. */
    byte[] model() throws XGBoostError {
        return booster().toByteArray("ubj");
    }

    /** Leaves the group, if there is one. Never throws: only the farewell to a tracker that is gone can fail. */
    void leave() {
        if (isJoined) {
            isJoined = false;
            try {
                Communicator.shutdown();
            } catch (XGBoostError e) {
                LOGGER.log(System.Logger.Level.DEBUG, "round " + runRound + ": left a group that was broken", e);
            }
        }
        if (booster != null) {
            booster.dispose();
            booster = null;
        }
        matrices.forEach(DMatrix::dispose);
        matrices.clear();
    }

    private Booster booster() {
        if (booster == null) {
            throw new IllegalStateException("the group is not formed");
        }
        return booster;
    }

    /** XGBoost4J makes boosters in its training only: here one of no rounds. */
    private Booster newBooster() throws XGBoostError {
        return XGBoost.train(matrices.get(0), plan.boosting().parameters(), 0, Map.of(), null, null);
    }

    /** The bytes have all but the parameters of training. */
    private Booster loaded(byte[] model) throws XGBoostError {
        try {
            Booster loaded = XGBoost.loadModel(model);
            loaded.setParams(plan.boosting().parameters());
            return loaded;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
