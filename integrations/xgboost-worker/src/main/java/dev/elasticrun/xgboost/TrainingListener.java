/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.contract.WorkerInfo;
import java.util.Map;

/** Receives the progress of the training, on every rank, on the thread that trains. What it throws ends this worker. */
public interface TrainingListener {

    /**
     * These rounds are committed and cannot be lost any more. Not called for rounds that another worker did in this
     * one's place.
     *
     * @param round boosting rounds done
     * @param rounds as many as there will be at most
     * @param metrics values after the newest round, by name, in XGBoost's order
     */
    default void committed(int round, int rounds, Map<String, Double> metrics, WorkerInfo place) {}

    /**
     * The model is done, and all ranks are still there: if this worker dies in this call, another one is called. It is
     * called again when the world changes in the meantime, so it must be idempotent.
     */
    default void finished(TrainedModel model, WorkerInfo place) throws Exception {}
}
