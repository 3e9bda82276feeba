/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.testing.Death;
import dev.elasticrun.testing.ElasticRun;
import dev.elasticrun.testing.ElasticRunTest;
import dev.elasticrun.testing.RunResult;
import java.time.Duration;

/** How a program is tested with elastic-run-testing; docs/testing-your-program.md shows it. */
final class KilledTrainingE2E {
    private static final String[] TRAIN = {
        "train", "--data", "data/breast-cancer.csv", "--steps", "150", "--report-every", "10"
    };

    @ElasticRunTest(nodes = 2, workersPerNode = 1)
    void train_aWorkerIsKilled_allStepsAreDone(ElasticRun run) {
        run.start(Main.class, TRAIN);
        run.awaitWorld(2);
        run.awaitStep(10);

        run.worker(1).kill();

        RunResult result = run.awaitEnd(Duration.ofSeconds(60));
        assertThat(result.exitCode()).isZero();
        assertThat(result.output(0)).contains("steps 150;");
    }

    @ElasticRunTest(nodes = 1, workersPerNode = 2)
    void train_aWorkerDiesWithinACheckpoint_noStepIsLost(ElasticRun run) {
        run.deaths(Death.inCheckpoint(30).ofRank(1));
        run.start(Main.class, TRAIN);

        run.awaitDeaths();

        RunResult result = run.awaitEnd(Duration.ofSeconds(60));
        assertThat(result.exitCode()).isZero();
        assertThat(result.output(0)).contains("steps 150;");
    }
}
