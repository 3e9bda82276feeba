/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.contract.WorkerInfo;
import java.util.Map;

/** Is told how the training goes, on every rank, on the thread that trains. What it throws ends this worker. */
public interface TrainingListener {

    /**
     * Whatever happens now, these rounds are not lost. Not told for rounds that another worker did in this one's place.
     *
     * @param round boosting rounds done
     * @param rounds as many as there will be at most
     * @param metrics values after the newest round, by name, in XGBoost's order
     */
    default void committed(int round, int rounds, Map<String, Double> metrics, WorkerInfo place) {}

    /**
     * The model is done, and all ranks are still there: if this worker dies in here, another will be told. Called again
     * when the world changes in the meantime, so what it does must do no harm when it is done twice.
     */
    default void finished(TrainedModel model, WorkerInfo place) throws Exception {}
}
