/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.contract.WorkerInfo;
import java.nio.file.Path;
import java.util.Map;

/** Writes the model on rank 0 before any rank leaves, so that it is written whichever worker dies. */
record ModelWriter(TrainingListener next, Path file) implements TrainingListener {

    @Override
    public void committed(int round, int rounds, Map<String, Double> metrics, WorkerInfo place) {
        next.committed(round, rounds, metrics, place);
    }

    @Override
    public void finished(TrainedModel model, WorkerInfo place) throws Exception {
        if (place.rank() == 0) {
            model.write(file);
        }
        next.finished(model, place);
    }
}
