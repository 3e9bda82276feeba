/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.agent.ElasticLauncher;
import dev.elasticrun.agent.LaunchEvent;
import dev.elasticrun.agent.LaunchListener;
import dev.elasticrun.agent.LaunchResult;
import dev.elasticrun.agent.LaunchStatus;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A program that launches agents itself sees what its run does, ends it, and receives what its workers hand over. */
@Tag("once")
@Timeout(180)
final class EmbeddedLaunchE2E {
    private static final long SECONDS = TestRun.LIMIT.toSeconds();

    @RegisterExtension
    final TestRun run = new TestRun();

    private final Queue<LaunchEvent> events = new ConcurrentLinkedQueue<>();

    private final LaunchListener listener = new LaunchListener() {
        @Override
        public void event(LaunchEvent event) {
            events.add(event);
        }
    };

    @Test
    void twoNodes_oneWorkerKilled_bothLaunchersHaveTheResultsOfAllRanks() throws Exception {
        ElasticLauncher.Running one = ElasticLauncher.start(config("text", "soft-elastic", 2), listener);
        ElasticLauncher.Running other = ElasticLauncher.start(config("text", "soft-elastic", 2));
        LaunchStatus working = awaitWorkers(one, 4, 1);
        long victim = working.nodes().stream()
                .filter(node -> node.nodeId().equals(one.nodeId()))
                .flatMap(node -> node.workers().stream())
                .map(LaunchStatus.Worker::pid)
                .findFirst()
                .orElseThrow();

        ProcessHandle.of(victim).orElseThrow().destroyForcibly();
        LaunchStatus again = awaitWorkers(other, 4, working.round() + 1);
        run.hurryUp();

        Map<Integer, String> expected = Map.of(0, "rank 0 of 4", 1, "rank 1 of 4", 2, "rank 2 of 4", 3, "rank 3 of 4");
        LaunchResult result = one.result().get(SECONDS, TimeUnit.SECONDS);
        assertThat(result.succeeded()).as(result.reason()).isTrue();
        assertThat(texts(result)).isEqualTo(expected);
        assertThat(texts(other.result().get(SECONDS, TimeUnit.SECONDS))).isEqualTo(expected);
        assertThat(again.restartsUsed()).isOne();
        assertThat(again.nodes())
                .hasSize(2)
                .flatExtracting(LaunchStatus.Node::workers)
                .allSatisfy(worker -> {
                    assertThat(worker.state()).isEqualTo("working");
                    assertThat(worker.metrics()).containsOnlyKeys("step");
                    assertThat(worker.checkpoint()).isPositive();
                });
        assertThat(events)
                .filteredOn(event -> event.kind().equals("worker.failed"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.fields()).containsEntry("pid", victim).containsEntry("exit_code", 137);
                    assertThat(event.round()).isEqualTo(working.round());
                });
        assertThat(events).extracting(LaunchEvent::kind).endsWith("agent.ended");
    }

    @Test
    void stop_endsTheRunOnAllNodes_andThereAreNoResults() throws Exception {
        ElasticLauncher.Running one = ElasticLauncher.start(config("text", "soft", 2));
        ElasticLauncher.Running other = ElasticLauncher.start(config("text", "soft", 2));
        awaitWorkers(one, 4, 1);

        other.stop().get(SECONDS, TimeUnit.SECONDS);

        for (ElasticLauncher.Running running : List.of(one, other)) {
            LaunchResult result = running.result().get(SECONDS, TimeUnit.SECONDS);
            assertThat(result.exitCode()).as(result.reason()).isEqualTo(143);
            assertThat(result.results()).isEmpty();
        }
        assertThatThrownBy(() -> one.status().get(SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the agent has ended");
        assertThatThrownBy(() -> one.stop().get(SECONDS, TimeUnit.SECONDS))
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the agent has ended");
    }

    @Test
    void resultThatIsTooLarge_failsItsWorkerWithSizeAndLimit() throws Exception {
        run.hurryUp();

        LaunchResult result = ElasticLauncher.launch(config("large", "hard", 1));

        assertThat(result.succeeded()).isFalse();
        assertThat(result.failures()).isNotEmpty();
        assertThat(result.failures().get(0).message()).contains("result: 70000 bytes (expected: at most 65536)");
        assertThat(result.results()).isEmpty();
    }

    @Test
    void workersInPython_handOverResultsToo() throws Exception {
        Path program = Project.ROOT.resolve("integrations/python/sum_worker.py");

        LaunchResult result = ElasticLauncher.launch(LaunchConfig.builder("python3")
                .arguments(List.of("-B", program.toString(), "10", "1"))
                .standalone(true)
                .nprocPerNode(2)
                .restartPolicy("soft")
                .logDir(run.directory().resolve("logs"))
                .build());

        assertThat(result.succeeded()).as(result.reason()).isTrue();
        assertThat(texts(result)).isEqualTo(Map.of(0, "71400", 1, "71400"));
    }

    @Test
    void runThatFails_hasNoResults() throws Exception {
        run.hurryUp();

        LaunchResult result = ElasticLauncher.launch(config("failure", "soft", 1));

        assertThat(result.succeeded()).isFalse();
        assertThat(result.failures().get(0).message()).contains("failed after its result");
        assertThat(result.results()).isEmpty();
    }

    private LaunchConfig config(String kind, String policy, int nodes) {
        return LaunchConfig.builder(Project.ROOT.resolve(Project.PROGRAM).toString())
                .classPath(Project.ROOT.resolve("samples/target/test-classes").toString())
                .mainClass(ResultProgram.class.getName())
                .arguments(List.of(run.hurry().toString(), kind))
                .nnodes(nodes, nodes)
                .nprocPerNode(2)
                .rdzvEndpoints(List.of(run.etcd().endpoint()))
                .runId(run.id())
                .restartPolicy(policy)
                .maxRestarts(nodes - 1)
                .logDir(run.directory().resolve("logs"))
                .build();
    }

    /** The status when that many workers work in one round, this or a later one. */
    private static LaunchStatus awaitWorkers(ElasticLauncher.Running running, int workers, long round) {
        List<LaunchStatus> seen = new ArrayList<>();
        Patience.until(
                workers + " workers work in round " + round,
                TestRun.LIMIT,
                () -> {
                    seen.add(0, status(running));
                    return seen.get(0).round() >= round && working(seen.get(0)) == workers;
                },
                () -> "seen last: " + seen.get(0));
        return seen.get(0);
    }

    private static long working(LaunchStatus status) {
        return status.nodes().stream()
                .flatMap(node -> node.workers().stream())
                .filter(worker ->
                        worker.state().equals("working") && !worker.metrics().isEmpty())
                .count();
    }

    /** Of a run that is not joined yet there is none to see. */
    private static LaunchStatus status(ElasticLauncher.Running running) {
        try {
            return running.status().get(SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException notYet) {
            assertThat(notYet).hasCauseInstanceOf(IllegalStateException.class);
            return new LaunchStatus("", 0, 0, 0, false, 0, 0, 0, "", List.of());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Map<Integer, String> texts(LaunchResult result) {
        return result.results().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> new String(entry.getValue(), UTF_8)));
    }
}
