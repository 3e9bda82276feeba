/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.worker;

import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.xgboost.Rows;
import dev.elasticrun.xgboost.TrainedModel;
import dev.elasticrun.xgboost.TrainingListener;
import dev.elasticrun.xgboost.XgboostTraining;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
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
        Reading reading = new Reading();
        XgboostTraining.Builder builder = XgboostTraining.builder(training.parameters(), training.rounds())
                .train((shard, shards) -> load(ShardTraining.TRAIN, shard, reading))
                .fixedShards(training.data().shards())
                .checkpointShare(training.checkpointShare())
                .listener(this);
        if (training.data().isEvaluated()) {
            builder.evaluate(
                    ShardTraining.EVALUATION, (shard, shards) -> load(ShardTraining.EVALUATION, shard, reading));
        }
        if (training.patience() > 0) {
            builder.earlyStopping(training.patience());
        }
        builder.build().run();
        ElasticRuntime.result(reading.toString().getBytes(StandardCharsets.UTF_8));
    }

    private Rows load(String set, int number, Reading reading) throws IOException {
        Shard shard = new ShardReader(settings, training.data()).read(new Path(directory, set), number);
        reading.add(shard);
        System.out.println("read shard " + number + " of " + set + ": " + shard.labels().length + " rows, "
                + shard.bytes() + " bytes");
        Rows rows = Rows.dense(
                shard.features(), training.data().features(), training.data().missing(), shard.labels());
        if (training.data().isWeighted()) {
            rows = rows.withWeights(
                    training.data().isGrouped()
                            ? RankedGroups.weights(shard.groups(), shard.weights())
                            : shard.weights());
        }
        return training.data().isGrouped() ? rows.withGroups(RankedGroups.sizes(shard.groups())) : rows;
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

    /** What this process has read. */
    private static final class Reading {
        private int shards;
        private long rows;
        private long bytes;

        void add(Shard shard) {
            shards++;
            rows += shard.labels().length;
            bytes += shard.bytes();
        }

        @Override
        public String toString() {
            return "shards " + shards + " rows " + rows + " bytes " + bytes;
        }
    }
}
