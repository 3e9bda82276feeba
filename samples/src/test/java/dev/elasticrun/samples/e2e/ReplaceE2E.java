/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.Step;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.samples.testing.Trained;
import dev.elasticrun.testing.ElasticRun;
import dev.elasticrun.testing.ElasticRunExtension;
import dev.elasticrun.testing.RunNode;
import dev.elasticrun.testing.RunWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Under {@code soft-replace} a worker that dies is replaced in its place, and nobody else has to start again. */
@Tag("once")
@Timeout(180)
final class ReplaceE2E {
    private static final int WORKERS = Recoveries.WORKERS;

    @RegisterExtension
    static final ElasticRunExtension RUNS = ElasticRunExtension.ofNodes(2)
            .workersPerNode(WORKERS)
            .policy("soft-replace")
            .flags("--nnodes", "2:2", "--lease-ttl", "10s", "--last-call-timeout", "60s");

    @ParameterizedTest(name = "slot {0}")
    @ValueSource(ints = {0, 1})
    void train_workerKilled_onlyItIsReplacedAndTheWorldStays(int slot, ElasticRun run) throws IOException {
        Path hurry = run.directory().resolve("hurry");
        run.start(
                Project.ROOT.resolve("samples/target/elastic-samples.jar"),
                "train",
                "--data",
                Project.ROOT.resolve("samples/data/breast-cancer.csv").toString(),
                "--steps",
                Integer.toString(TestRun.ENOUGH),
                "--step-millis",
                Integer.toString(TestRun.STEP_MILLIS),
                "--report-every",
                "1",
                "--hurry",
                hurry.toString());
        run.awaitWorld(2 * WORKERS);
        run.awaitStep(20);
        long round = run.round();
        RunNode steady = run.node(1);
        RunNode stumbling = run.node(2);
        List<Long> steadyBefore = pids(steady);
        List<Long> before = pids(stumbling);

        stumbling.worker(slot).kill();
        run.awaitWorld(2 * WORKERS);

        assertThat(run.round()).isEqualTo(round + 1);
        List<Long> after = pids(stumbling);
        assertThat(after.get(1 - slot)).as("neighbour").isEqualTo(before.get(1 - slot));
        assertThat(after.get(slot)).as("replacement").isNotEqualTo(before.get(slot));
        assertThat(pids(steady)).isEqualTo(steadyBefore);
        Files.createFile(hurry);
        assertThat(run.awaitEnd(TestRun.LIMIT).exitCode()).isZero();
        Recoveries.assertTrained(Trained.in(run.outputs().stream()));
        Recoveries.assertGoesOn(0, Step.in(run.outputs().stream()));
        assertThat(events(run, RunEvent.WorkerStarted.class)).hasSize(2 * WORKERS + 1);
        for (RunNode node : List.of(steady, stumbling)) {
            String id = node.id().orElseThrow();
            List<RunEvent.WorkPublished> opened = run.events().stream()
                    .filter(event -> event.node().equals(id))
                    .flatMap(event -> event.as(RunEvent.WorkPublished.class).stream())
                    .toList();
            assertThat(opened).extracting(RunEvent.WorkPublished::worldSize).containsExactly(4, 4);
            assertThat(opened).extracting(RunEvent.WorkPublished::world).containsOnly(round);
            assertThat(opened)
                    .extracting(RunEvent.WorkPublished::rank)
                    .containsOnly(opened.get(0).rank());
        }
    }

    private static <E extends RunEvent> List<E> events(ElasticRun run, Class<E> type) {
        return run.events().stream().flatMap(event -> event.as(type).stream()).toList();
    }

    private static List<Long> pids(RunNode node) {
        return node.workers().stream().map(RunWorker::pid).toList();
    }
}
