/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import dev.elasticrun.worker.Trial;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.xgboost.Rows;
import dev.elasticrun.xgboost.TrainedModel;
import dev.elasticrun.xgboost.TrainingListener;
import dev.elasticrun.xgboost.XgboostTraining;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Boosted trees by XGBoost, trained by all workers together, whoever dies, comes and goes. */
final class XgboostTrain implements TrainingListener {
    private final XgboostTrainOptions options;

    private XgboostTrain(XgboostTrainOptions options) {
        this.options = options;
    }

    static void run(XgboostTrainOptions options) throws Exception {
        Main.requireAgent();
        TrainedModel model = new XgboostTrain(options).training().run();
        System.out.println("model " + model.sha256());
    }

    private XgboostTraining training() {
        XgboostTraining.Builder builder = XgboostTraining.builder(options.parameters(), options.rounds())
                .train((shard, shards) -> load(shard, shards, options.data()::training))
                .checkpointEvery(options.checkpointEvery())
                .timeout(options.timeout())
                .listener(this);
        RowFile evaluation = options.evaluation();
        if (evaluation != null) {
            builder.evaluate("eval", (shard, shards) -> rows(evaluation.training(new Shard(shard, shards))));
        } else if (options.data().holdOutEvery() > 0) {
            builder.evaluate("eval", (shard, shards) -> rows(options.data().heldOut(new Shard(shard, shards))));
        }
        if (options.isRepartitioned()) {
            builder.repartition();
        } else if (options.shards() > 0) {
            builder.fixedShards(options.shards());
        }
        if (options.preload() >= 0) {
            builder.preload(options.preload());
        }
        if (options.earlyStopping() > 0) {
            builder.earlyStopping(options.earlyStopping());
        }
        return builder.build();
    }

    /** Once for all trials of a study that this process works for. */
    private Rows load(int shard, int shards, Function<Shard, LabelledRows> read) throws Exception {
        Shard part = new Shard(shard, shards);
        return Trial.reuse("training", List.of(options.data(), part), () -> {
            Rows rows = rows(read.apply(part));
            StepTime.passAll(options.pace().loadTime());
            System.out.println("loaded shard " + shard + " of " + shards);
            return rows;
        });
    }

    private static Rows rows(LabelledRows rows) {
        return Rows.sparse(rows.rowHeaders(), rows.columnIndices(), rows.values(), rows.columns(), rows.labels());
    }

    @Override
    public void committed(int round, int rounds, Map<String, Double> metrics, WorkerInfo place) {
        if (place.rank() == 0 && (round % options.pace().reportEvery() == 0 || round == rounds)) {
            String last =
                    metrics.keySet().stream().reduce((before, name) -> name).orElseThrow();
            System.out.println(String.format(
                    Locale.ROOT,
                    "step %d/%d %s %.4f world %d round %d",
                    round,
                    rounds,
                    last,
                    metrics.get(last),
                    place.worldSize(),
                    place.round()));
        }
        if (!isHurried()) {
            StepTime.pass(options.pace().roundTime().multipliedBy(options.checkpointEvery()), place.round());
        }
    }

    /** All digits of the metrics: an exact run differs from one that is nearly the same. */
    @Override
    public void finished(TrainedModel model, WorkerInfo place) throws Exception {
        if (place.rank() != 0) {
            return;
        }
        write(model);
        StringBuilder line =
                new StringBuilder("trained ").append(model.rounds()).append(" rounds");
        for (String name : model.metrics().keySet()) {
            line.append("; ").append(name).append(' ').append(model.metric(name));
        }
        line.append("; best after round ").append(model.bestRound() + 1);
        line.append("; model ").append(model.sha256());
        System.out.println(line.append("; rounds seen ").append(model.runRounds()));
    }

    private void write(TrainedModel model) throws Exception {
        Path file = options.modelOut();
        if (file == null) {
            return;
        }
        try {
            model.write(file);
        } catch (IOException e) {
            throw new DataFileException("model file " + file + ": cannot be written: " + e, e);
        }
    }

    private boolean isHurried() {
        @Nullable Path hurry = options.pace().hurry();
        return hurry != null && Files.exists(hurry);
    }
}
