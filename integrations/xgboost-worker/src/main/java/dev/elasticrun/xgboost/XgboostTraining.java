/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.ElasticLoop;
import dev.elasticrun.worker.Trial;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Communicator;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.jspecify.annotations.Nullable;

/**
 * Trains a booster on the workers of a run, under any restart policy, while workers die, come and go. For a run that was
 * started with {@code --runtime xgboost}.
 *
 * <pre>{@code
 * TrainedModel model = XgboostTraining.builder(parameters, 300)
 *         .train((shard, shards) -> read("train", shard, shards))
 *         .evaluate("eval", (shard, shards) -> read("eval", shard, shards))
 *         .earlyStopping(20)
 *         .build()
 *         .run();
 * }</pre>
 *
 * <p>After every round the ranks agree on the model and commit it; what is committed is in the memory of all workers and
 * of the agents. When a group of XGBoost breaks, its ranks leave it, go back to the last commit and form a new one.
 */
public final class XgboostTraining {
    private static final String TRAIN = "train";

    private final TrainingPlan plan;

    private XgboostTraining(TrainingPlan plan) {
        this.plan = plan;
    }

    /**
     * Begins to describe a training. It must be the same on all ranks.
     *
     * @param parameters as XGBoost takes them; those of the {@link Trial} that this is replace them; {@code nthread} should be given, as its default takes all processors for
     *     each worker
     * @param rounds boosting rounds, from 1
     */
    public static Builder builder(Map<String, ?> parameters, int rounds) {
        return new Builder(parameters, rounds);
    }

    /**
     * Trains to the end, on the calling thread, which must be a platform thread. Returns on all ranks with the same model,
     * when every rank has got there. Call it once.
     *
     * <p>Loads XGBoost and the rows that {@link Builder#preload} requested first, then requests a place in a round.
     * Input that no attempt can succeed with (rows that do not fit each other, parameters that XGBoost refuses three
     * times in a row) ends the run. Outside of elastic-run it throws IllegalStateException.
     *
     * @throws Exception what a source or the listener threw
     */
    public TrainedModel run() throws Exception {
        PlatformThread.require();
        loadNativeLibrary();
        Trainer trainer = new Trainer(plan, Host.agent());
        trainer.prepare();
        ElasticLoop.run(trainer.state(), trainer::work);
        return trainer.model();
    }

    /** Unpacks the library from its jar, up to seconds on a busy machine, before any rank waits for this worker. */
    private static void loadNativeLibrary() throws XGBoostError {
        Communicator.getWorldSize();
    }

    /** What to train, on what, and how often to commit. */
    public static final class Builder {
        private final Map<String, Object> parameters;
        private final int rounds;
        private final List<String> names = new ArrayList<>();
        private final List<RowSource> sources = new ArrayList<>();
        private @Nullable RowSource training;
        private int checkpointEvery = 1;
        private double checkpointShare;
        private int patience;
        private int shards = TrainingPlan.BY_FIRST_ROUND;
        private int preload = -1;
        private Duration timeout = CommunicatorArguments.DEFAULT_TIMEOUT;
        private @Nullable Path modelFile;
        private TrainingListener listener = new TrainingListener() {};

        private Builder(Map<String, ?> parameters, int rounds) {
            this.parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
            this.rounds = atLeast("rounds", rounds, 1);
        }

        /** What is trained on; evaluated as {@code train}. */
        public Builder train(RowSource source) {
            training = source;
            return this;
        }

        /**
         * What the model is judged by after each round; may be called for several sets. Early stopping looks at the last
         * one.
         */
        public Builder evaluate(String name, RowSource source) {
            if (name.isBlank()
                    || name.contains(":")
                    || name.contains("-")
                    || name.equals(TRAIN)
                    || names.contains(name)) {
                throw new IllegalArgumentException(
                        "evaluation set: '" + name + "' (expected: another name than before, without : and -)");
            }
            names.add(name);
            sources.add(source);
            return this;
        }

        /**
         * The data has {@code count} parts, of which each worker has one: the worker that takes a lost one's place
         * loads the rows that were lost with it, and all others keep theirs. With fewer workers the rest of the parts
         * is left out.
         *
         * <p>This is the default, with as many parts as the first round has workers.
         *
         * @param count from 1
         */
        public Builder fixedShards(int count) {
            shards = atLeast("shards", count, 1);
            return this;
        }

        /** In every round each worker has another part, so that all rows are used however many workers there are. */
        public Builder repartition() {
            shards = TrainingPlan.BY_RANK;
            return this;
        }

        /**
         * The part that this worker is likely to get, with {@link #fixedShards}: it is loaded before the worker joins, and
         * others train on meanwhile. Without it, or if another worker has that part, all wait while it is loaded.
         *
         * @param shard 0-based; one that there is not is never loaded
         */
        public Builder preload(int shard) {
            preload = atLeast("preload", shard, 0);
            return this;
        }

        /**
         * Commits after every {@code count} rounds, from 1, which is the default: at most that number of rounds can be
         * lost.
         */
        public Builder checkpointEvery(int count) {
            checkpointEvery = atLeast("checkpointEvery", count, 1);
            return this;
        }

        /**
         * Commits less often the longer the training is: at most that share of the rounds that are done can be lost. A
         * commit takes as long as the model is large, so that with a commit for each round the time for all of them
         * grows with the square of the rounds; with a share it grows with the rounds.
         *
         * @param share from 0, which is the default, to 1
         */
        public Builder checkpointShare(double share) {
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("checkpointShare: " + share + " (expected: 0 to 1)");
            }
            checkpointShare = share;
            return this;
        }

        /** Ends when the last metric of the last evaluation set has not improved for {@code count} rounds, from 1. */
        public Builder earlyStopping(int count) {
            patience = atLeast("earlyStopping", count, 1);
            return this;
        }

        /**
         * How long XGBoost waits for a live peer, by default 20 s. Too short: a rank whose round takes longer than that
         * of others breaks the group. Too long: the loss of a peer's machine is noticed only after this time.
         */
        public Builder timeout(Duration limit) {
            if (limit.toSeconds() < 1) {
                throw new IllegalArgumentException("timeout: " + limit + " (expected: 1 s or more)");
            }
            timeout = limit;
            return this;
        }

        /** Where rank 0 writes the model at the end, as {@link TrainedModel#write} does. */
        public Builder modelFile(Path file) {
            modelFile = file;
            return this;
        }

        /** Sets the receiver of the training's progress. */
        public Builder listener(TrainingListener newListener) {
            listener = newListener;
            return this;
        }

        public XgboostTraining build() {
            return new XgboostTraining(plan());
        }

        TrainingPlan plan() {
            RowSource source = training;
            if (source == null) {
                throw new IllegalStateException("train: no source (expected: rows to train on)");
            }
            List<String> allNames = new ArrayList<>(List.of(TRAIN));
            allNames.addAll(names);
            List<RowSource> allSources = new ArrayList<>(List.of(source));
            allSources.addAll(sources);
            return new TrainingPlan(
                    new TrainingPlan.Boosting(tried(), rounds, checkpointEvery, checkpointShare, patience),
                    new TrainingPlan.Data(allNames, allSources, shards, preload),
                    timeout,
                    modelFile == null ? listener : new ModelWriter(listener, modelFile));
        }

        private Map<String, Object> tried() {
            Map<String, Object> all = new LinkedHashMap<>(parameters);
            all.putAll(Trial.current().config());
            return Collections.unmodifiableMap(all);
        }

        private static int atLeast(String name, int value, int least) {
            if (value < least) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: " + least + " or more)");
            }
            return value;
        }
    }
}
