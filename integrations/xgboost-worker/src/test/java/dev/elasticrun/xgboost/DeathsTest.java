/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A worker dies at each of the instants in which it can, one after the other: in votes, while the state is given out,
 * within commits, at the end. Another takes its place, or all get new ranks. What comes out is always the same model.
 */
@Timeout(240)
final class DeathsTest {
    private static final int ROUNDS = 3;
    /** More than a worker goes through. */
    private static final int INSTANTS = 60;

    @TempDir
    Path directory;

    /** Some of them. */
    @ParameterizedTest(name = "rank {0}, replaced {1}")
    @CsvSource({"0, true, 4", "1, false, 2"})
    @Tag("once")
    void train_deathAtSomeInstants_givesTheSameModel(int victim, boolean isReplaced, int first) throws Exception {
        sweep(victim, isReplaced, first, 5);
    }

    @ParameterizedTest(name = "rank {0}, replaced {1}")
    @CsvSource({"0, true", "1, true", "0, false", "1, false"})
    @Tag("soak")
    void train_deathAtEachInstant_givesTheSameModel(int victim, boolean isReplaced) throws Exception {
        sweep(victim, isReplaced, 0, 1);
    }

    /** @param step 1 = every instant */
    private void sweep(int victim, boolean isReplaced, int first, int step) throws Exception {
        TrainedModel expected = undisturbed();
        int deaths = 0;
        for (int instant = first; instant < INSTANTS; instant += step) {
            try (TestRun run = new TestRun(directory, isReplaced)) {
                TestRun.Worker[] workers = {worker(run), worker(run)};
                workers[victim].dieAfter(instant);
                run.open(List.of(workers));
                workers[0].start();
                workers[1].start();
                if (!workers[victim].awaitDeath()) {
                    break;
                }
                deaths++;
                TestRun.Worker newcomer = worker(run);
                TestRun.Worker survivor = workers[1 - victim];
                if (isReplaced) {
                    workers[victim] = newcomer;
                    run.replace(List.of(workers));
                } else {
                    run.open(List.of(survivor, newcomer));
                }
                newcomer.start();
                for (TestRun.Worker worker : List.of(survivor, newcomer)) {
                    TrainedModel model = worker.await();
                    assertThat(model.sha256()).as("death at instant " + instant).isEqualTo(expected.sha256());
                    assertThat(model.metrics().get("eval-logloss"))
                            .isEqualTo(expected.metrics().get("eval-logloss"));
                }
            }
        }
        assertThat(deaths).isGreaterThan(15 / step);
    }

    private TestRun.Worker worker(TestRun run) throws Exception {
        return run.worker(TestData.training(ROUNDS).fixedShards(2).plan());
    }

    private TrainedModel undisturbed() throws Exception {
        try (TestRun run = new TestRun(directory, false)) {
            List<TestRun.Worker> workers = new ArrayList<>(List.of(worker(run), worker(run)));
            run.open(workers);
            workers.forEach(TestRun.Worker::start);
            return workers.get(0).await();
        }
    }
}
