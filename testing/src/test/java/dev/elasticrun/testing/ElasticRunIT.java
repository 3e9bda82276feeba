/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.cli.chaos.fault.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** What a test can do to a run, with real agents and workers. */
@Timeout(120)
final class ElasticRunIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @ElasticRunTest(flags = {"--pause-timeout", "60s"})
    void run_ofTwoNodes_losesWhatIsKilledAndGoesOn(ElasticRun run) throws IOException {
        assertThatThrownBy(() -> run.awaitStep(1)).hasMessageContaining("not been started");
        run.start(CountProgram.class);
        run.awaitWorld(4);
        long round = run.round();
        run.awaitStep(1);

        RunWorker victim = run.worker(1);
        List<Long> before = pids(run);
        victim.kill();
        run.awaitWorld(4);

        assertThat(victim.isAlive()).isFalse();
        assertThat(run.round()).isGreaterThan(round);
        assertThat(pids(run)).hasSize(4).doesNotContain(victim.pid());
        assertThat(before.stream().filter(pid -> pid != victim.pid())).isSubsetOf(pids(run));

        RunWorker stopped = run.worker(2);
        stopped.stop();
        assertThat(run.workers()).hasSize(3);
        assertThat(stopped.isAlive()).isTrue();
        stopped.resume();
        run.awaitWorld(4);

        RunNode coordinator = run.coordinator();
        coordinator.kill();
        run.awaitWorld(2);
        assertThat(coordinator.exitCode()).contains(137);
        assertThat(run.coordinator().number()).isNotEqualTo(coordinator.number());

        RunNode third = run.startNode();
        run.awaitWorld(4);
        assertThat(third.worker(1).slot()).isEqualTo(1);
        assertThatThrownBy(() -> third.worker(2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("slot: 2 of node 3 (");
        third.drain();
        run.awaitWorld(2);
        run.await("end of the node that was drained", LIMIT, () -> third.exitCode()
                .isPresent());
        assertThat(third.exitCode()).contains(143);

        finish(run);
        RunResult result = run.awaitEnd(LIMIT);
        assertThat(result.exitCode()).isZero();
        assertThat(result.output(1)).contains("rank 1 of 2");
        assertThat(result.rootCause()).isEmpty();
        assertThat(run.awaitEvent(RunEvent.WorkerFailed.class).end().exitCode()).isEqualTo(137);
    }

    @ElasticRunTest(nodes = 1)
    void worker_withAScriptedDeath_diesAtThatStep(ElasticRun run) throws IOException {
        run.deaths(Death.atStep(7).ofRank(1), Death.inCheckpoint(20).ofRank(0).inLife(0));
        run.start(CountProgram.class);

        run.awaitDeaths();
        run.awaitWorld(2);

        finish(run);
        assertThat(run.awaitEnd(LIMIT).exitCode()).isZero();
        assertThat(run.events().stream().flatMap(event -> event.as(RunEvent.WorkerFailed.class).stream()))
                .filteredOn(failed -> !failed.collateral())
                .hasSize(2);
    }

    @ElasticRunTest(
            nodes = 1,
            flags = {"--max-restarts", "100"})
    @Tag("slow")
    void storm_ofWorkers_injectsWhatTheSeedHas(ElasticRun run) throws IOException {
        run.start(CountProgram.class);
        run.awaitWorld(2);
        run.awaitStep(1);

        List<Fault> faults = run.storm("worker=1", 7, Duration.ofMillis(400), Duration.ofSeconds(1));
        run.awaitWorld(2);

        assertThat(faults).hasSizeBetween(1, 5).anyMatch(Fault::isInjected);
        assertThatThrownBy(() -> run.storm("workers=1", 7, Duration.ofMillis(400), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("faults: workers=1 (expected: ");
        finish(run);
        assertThat(run.awaitEnd(LIMIT).exitCode()).isZero();
    }

    private static List<Long> pids(ElasticRun run) {
        return run.workers().stream().map(RunWorker::pid).toList();
    }

    private static void finish(ElasticRun run) throws IOException {
        Files.createFile(run.directory().resolve("finish"));
    }
}
