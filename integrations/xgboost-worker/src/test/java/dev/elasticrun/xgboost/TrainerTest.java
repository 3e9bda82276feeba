/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.WorkerInfo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The loop with real groups of XGBoost; workers are threads. */
@Timeout(120)
final class TrainerTest {
    private static final int ROUNDS = 8;

    @TempDir
    private Path directory;

    private final List<Integer> committed = new CopyOnWriteArrayList<>();
    private final TrainingListener listener = new TrainingListener() {
        @Override
        public void committed(int round, int rounds, Map<String, Double> metrics, WorkerInfo place) {
            if (place.rank() == 0) {
                committed.add(round);
            }
        }
    };

    @BeforeEach
    void nothingIsCommitted() {
        committed.clear();
    }

    @Test
    void work_twoWorkers_haveOneModel() throws Exception {
        List<TrainedModel> models = train(2, plan -> plan.listener(listener));

        assertThat(models.get(0).bytes()).isEqualTo(models.get(1).bytes());
        assertThat(models.get(0).rounds()).isEqualTo(ROUNDS);
        assertThat(models.get(0).runRounds()).isOne();
        assertThat(models.get(0).metrics().keySet()).containsExactly("train-logloss", "eval-logloss");
        assertThat(models.get(0).metric("eval-logloss")).isBetween(0.0, 0.6);
        assertThat(committed).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    }

    /** It is what XGBoost4J makes by itself, which is in the group of nobody. */
    @Test
    @Tag("once")
    void work_alone_isAsXgboostTrains() throws Exception {
        TrainedModel model = train(1, plan -> plan).get(0);

        DMatrix rows = TestData.rows(1, 600, 0, 1).toMatrix(5);
        byte[] plain = XGBoost.train(rows, TestData.PARAMETERS, ROUNDS, Map.of(), null, null)
                .toByteArray("ubj");
        assertThat(model.bytes()).isEqualTo(plain);
        Path file = directory.resolve("model.json");
        model.write(file);
        assertThat(XGBoost.loadModel(file.toString()).predict(rows))
                .isDeepEqualTo(model.booster().predict(rows));
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    @Tag("once")
    void work_commitsFewerTimes_endsWithTheSameModel() throws Exception {
        String each = train(2, plan -> plan).get(0).sha256();
        List<TrainedModel> models = train(2, plan -> plan.checkpointEvery(3).listener(listener));

        assertThat(models).extracting(TrainedModel::sha256).containsOnly(each);
        assertThat(committed).containsExactly(3, 6, 8);
    }

    @Test
    @Tag("once")
    void work_commitsAShare_lessOftenTheMoreIsDone_endsWithTheSameModel() throws Exception {
        String each = train(2, plan -> plan).get(0).sha256();
        List<TrainedModel> models = train(2, plan -> plan.checkpointShare(0.5).listener(listener));

        assertThat(models).extracting(TrainedModel::sha256).containsOnly(each);
        assertThat(committed).containsExactly(1, 2, 3, 4, 6, 8);
    }

    @Test
    @Tag("once")
    void work_moreWorkersThanParts_someHaveNone() throws Exception {
        String two = train(2, plan -> plan).get(0).sha256();

        assertThat(train(3, plan -> plan.fixedShards(2)))
                .extracting(TrainedModel::sha256)
                .containsOnly(two);
    }

    @Test
    @Tag("once")
    void work_noBetterForSomeRounds_ends() throws Exception {
        UnaryOperator<XgboostTraining.Builder> hasty =
                plan -> plan.earlyStopping(1).evaluate("noise", (shard, shards) -> TestData.noise(200, shard, shards));

        List<TrainedModel> models = train(2, hasty);

        assertThat(models.get(0).rounds())
                .isLessThan(ROUNDS)
                .isEqualTo(models.get(0).bestRound() + 2);
        assertThat(models.get(1).sha256()).isEqualTo(models.get(0).sha256());
    }

    /** All rows are trained on, however many workers there are: another model than with a part of them. */
    @Test
    @Tag("once")
    void work_repartitioned_shrinksAndUsesAllRows() throws Exception {
        try (TestRun run = new TestRun(directory, false)) {
            List<String> loaded = new CopyOnWriteArrayList<>();
            List<TestRun.Worker> workers =
                    workers(run, 2, plan -> plan.repartition().train((shard, shards) -> {
                        loaded.add(shard + " of " + shards);
                        return TestData.rows(1, 600, shard, shards);
                    }));
            workers.get(0).dieAfter(20);
            run.open(workers);
            workers.forEach(TestRun.Worker::start);
            assertThat(workers.get(0).awaitDeath()).isTrue();
            run.open(workers.subList(1, 2));

            assertThat(workers.get(1).await().runRounds()).isEqualTo(2);
            assertThat(loaded).containsExactlyInAnyOrder("0 of 2", "1 of 2", "0 of 1");
        }
    }

    /** The others wait for it in native code, in vain. */
    @Test
    @Tag("once")
    void work_deathBeforeTheGroup_isSurvived() throws Exception {
        String expected = train(2, plan -> plan).get(0).sha256();
        try (TestRun run = new TestRun(directory, false)) {
            List<TestRun.Worker> workers =
                    workers(run, 3, plan -> plan.fixedShards(2).timeout(Duration.ofSeconds(2)));
            workers.get(0).dieBeforeTheGroup();
            run.open(workers.subList(0, 2));
            workers.get(0).start();
            workers.get(1).start();
            assertThat(workers.get(0).awaitDeath()).isTrue();
            run.open(workers.subList(1, 3));
            workers.get(2).start();

            assertThat(workers.get(1).await().sha256()).isEqualTo(expected);
            assertThat(workers.get(2).await().sha256()).isEqualTo(expected);
        }
    }

    @Test
    @Tag("once")
    void work_parameterThatXgboostRefuses_endsTheRunWithItsWords() throws Exception {
        Map<String, Object> bad = new HashMap<>(TestData.PARAMETERS);
        bad.put("max_depth", -3);

        assertStops(List.of(TestData.training(bad, ROUNDS), TestData.training(bad, ROUNDS)))
                .contains(" rank 0: ")
                .contains("max_depth");
    }

    @Test
    @Tag("once")
    void work_labelsOfOneRankCannotBe_namesIt() throws Exception {
        XgboostTraining.Builder wrong =
                TestData.training(ROUNDS).train((shard, shards) -> Rows.dense(new float[10], 5, 0, new float[] {0, 7}));

        assertStops(List.of(TestData.training(ROUNDS), wrong))
                .contains(" rank 1: ")
                .contains("label must be in [0,1]");
    }

    @Test
    @Tag("once")
    void work_otherColumnsOnOneRank_namesIt() throws Exception {
        XgboostTraining.Builder narrow = TestData.training(ROUNDS)
                .train((shard, shards) -> Rows.dense(new float[8], 4, 0, new float[2]))
                .evaluate("more", (shard, shards) -> Rows.dense(new float[8], 4, 0, new float[2]));
        XgboostTraining.Builder same =
                TestData.training(ROUNDS).evaluate("more", (shard, shards) -> TestData.rows(3, 20, shard, shards));

        assertStops(List.of(same, narrow)).isEqualTo("columns: 5 in 'eval' (expected: 4, as in 'train')");
    }

    @Test
    @Tag("once")
    void work_noTracker_namesTheOption() throws Exception {
        try (TestRun run = new TestRun(directory, false)) {
            run.hasNoTracker();
            List<TestRun.Worker> workers = workers(run, 1, plan -> plan);
            run.open(workers);
            workers.get(0).start();

            assertThatThrownBy(workers.get(0)::await).hasMessageContaining("--runtime xgboost");
        }
    }

    private AbstractStringAssert<?> assertStops(List<XgboostTraining.Builder> plans) throws Exception {
        try (TestRun run = new TestRun(directory, false)) {
            List<TestRun.Worker> workers = new ArrayList<>();
            for (XgboostTraining.Builder plan : plans) {
                workers.add(run.worker(plan.plan()));
            }
            run.open(workers);
            workers.forEach(TestRun.Worker::start);
            return assertThat(run.awaitStop());
        }
    }

    @Test
    void work_aStudyEndsIt_allRanksEndAtThatRound_andEachWasReportedOnce() throws Exception {
        try (TestRun run = new TestRun(directory, false)) {
            List<TestRun.Worker> members = workers(run, 2, plan -> plan.checkpointEvery(2));
            run.open(members);
            members.forEach(member -> member.endAfter(3));
            members.forEach(TestRun.Worker::start);

            for (TestRun.Worker member : members) {
                assertThat(member.await().rounds()).isEqualTo(4);
                assertThat(member.reported()).containsExactly(1, 2, 3, 4);
            }
        }
    }

    private List<TrainedModel> train(int count, UnaryOperator<XgboostTraining.Builder> change) throws Exception {
        try (TestRun run = new TestRun(directory, false)) {
            List<TestRun.Worker> members = workers(run, count, change);
            run.open(members);
            members.forEach(TestRun.Worker::start);
            List<TrainedModel> models = new ArrayList<>();
            for (TestRun.Worker member : members) {
                models.add(member.await());
            }
            return models;
        }
    }

    private static List<TestRun.Worker> workers(TestRun run, int count, UnaryOperator<XgboostTraining.Builder> change)
            throws Exception {
        List<TestRun.Worker> workers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            workers.add(run.worker(change.apply(TestData.training(ROUNDS)).plan()));
        }
        return workers;
    }
}
