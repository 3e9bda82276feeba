/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.worker;

import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.xgboost.Rows;
import dev.elasticrun.xgboost.TrainedModel;
import dev.elasticrun.xgboost.TrainingListener;
import dev.elasticrun.xgboost.XgboostTraining;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The program of an estimator's workers: each loads its shards from files that Spark wrote, once for as long as it lives,
 * and rank 0 puts the model beside them.
 */
public final class BoostShards implements TrainingListener {
    private final ShardTraining training;
    private final Configuration settings;
    private final Path directory;

    private BoostShards(ShardTraining training, Configuration settings) {
        this.training = training;
        this.settings = settings;
        this.directory = new Path(training.directory());
    }

    /** @param arguments as {@link ShardTraining#arguments} states them */
    public static void main(String[] arguments) {
        ElasticRuntime.main(() -> new BoostShards(ShardTraining.parse(List.of(arguments)), settings()).run());
    }

    private static Configuration settings() {
        Configuration settings = new Configuration();
        String file = System.getenv().getOrDefault(ShardTraining.SETTINGS, "");
        if (!file.isEmpty()) {
            settings.addResource(new Path(java.nio.file.Path.of(file).toUri()));
        }
        return settings;
    }

    private void run() throws Exception {
        XgboostTraining.Builder builder = XgboostTraining.builder(training.parameters(), training.rounds())
                .train((shard, shards) -> load(ShardTraining.TRAIN, shard))
                .fixedShards(training.data().shards())
                .checkpointShare(training.checkpointShare())
                .listener(this);
        if (training.data().isEvaluated()) {
            builder.evaluate(ShardTraining.EVALUATION, (shard, shards) -> load(ShardTraining.EVALUATION, shard));
        }
        likelyShard(System.getenv()).ifPresent(builder::preload);
        if (training.patience() > 0) {
            builder.earlyStopping(training.patience());
        }
        builder.build().run();
    }

    /**
     * The shard that this worker loads before it joins, while others train: each task has its own ones, so that the one
     * that Spark runs again has those that were lost. Empty for a spare worker, which has no slot of its own.
     *
     * @param environment of a worker
     */
    static OptionalInt likelyShard(Map<String, String> environment) {
        int slot = number(environment, WorkerEnv.LOCAL_RANK);
        int slots = number(environment, WorkerEnv.LOCAL_WORLD_SIZE);
        int task = number(environment, ShardTraining.TASK);
        return slot < slots ? OptionalInt.of(task * slots + slot) : OptionalInt.empty();
    }

    private static int number(Map<String, String> environment, String name) {
        return Integer.parseInt(environment.getOrDefault(name, "0"));
    }

    private Rows load(String set, int number) throws IOException {
        Shard shard = new ShardReader(settings, training.data()).read(new Path(directory, set), number);
        System.out.println("read shard " + number + " of " + set + ": " + shard.labels().length + " rows, "
                + shard.bytes() + " bytes");
        ShardTraining.Data data = training.data();
        Rows rows = Rows.dense(shard.features(), data.features(), data.missing(), shard.labels());
        if (data.hasMargins()) {
            rows = rows.withBaseMargins(shard.margins());
        }
        float[] weights = shard.weights();
        if (data.isGrouped()) {
            int[] sizes = RankedGroups.sizes(shard.groups());
            rows = rows.withGroups(sizes);
            weights = data.isWeighted() ? RankedGroups.weights(sizes, weights) : weights;
        }
        return data.isWeighted() ? rows.withWeights(weights) : rows;
    }

    @Override
    public void committed(int round, int rounds, Map<String, Double> metrics, WorkerInfo place) {
        if (place.rank() == 0) {
            System.out.println("step " + round + "/" + rounds + " " + metrics + " world " + place.worldSize());
        }
    }

    @Override
    public void finished(TrainedModel model, WorkerInfo place) throws IOException {
        if (place.rank() == 0) {
            write(ShardTraining.METRICS, MetricsText.write(model.metrics()));
            write(ShardTraining.MODEL, model.bytes());
        }
    }

    // Another worker may do the same if this one dies here: a file is there whole, or is written again.
    private void write(String name, byte[] content) throws IOException {
        FileSystem system = directory.getFileSystem(settings);
        Path target = new Path(directory, name);
        Path unfinished = new Path(directory, "_" + name + ".part");
        try (FSDataOutputStream out = system.create(unfinished, true)) {
            out.write(content);
        }
        if (!system.rename(unfinished, target)) {
            system.delete(target, false);
            if (!system.rename(unfinished, target)) {
                throw new IOException(target + ": cannot be written: " + unfinished + " is not renamed");
            }
        }
    }
}
