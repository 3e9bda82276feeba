/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.Culprit;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.Incidents;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults of real processes on two nodes, and what the report of each node makes of them: kind, rank and node of the root
 * cause are the same on both, and nothing is blamed that only followed.
 */
@Timeout(120)
final class FaultTableE2E {
    static final String MEMORY_GROUP = "elastic-run-fault";

    @RegisterExtension
    final TestRun run = new TestRun();

    @AfterEach
    void removeMemoryGroup() throws IOException {
        for (String mount : List.of("/sys/fs/cgroup/memory", "/sys/fs/cgroup")) {
            Files.deleteIfExists(Path.of(mount, MEMORY_GROUP));
        }
    }

    static Stream<FaultRow> few() {
        return FaultRows.few();
    }

    static Stream<FaultRow> all() {
        return FaultRows.all();
    }

    @ParameterizedTest
    @MethodSource("few")
    @Tag("once")
    void fault_isReportedOnEveryNode(FaultRow row) {
        assertReported(row);
    }

    @ParameterizedTest
    @MethodSource("all")
    @Tag("soak")
    void fault_ofAll_isReportedOnEveryNode(FaultRow row) {
        assertReported(row);
    }

    @Test
    @Tag("soak")
    void storeStops_isReportedOnEveryNode() throws IOException {
        FaultRow row = FaultRow.asleep("store stops", 5, null, scene -> {}, "--store-timeout is 4 s")
                .explained(last -> assertThat(last.result().end()).contains("--store-timeout"))
                .with("--store-timeout", "4s", "--first-contact-timeout", "10s");
        try (EtcdProcess etcd = EtcdProcess.start(Files.createTempDirectory(run.directory(), "etcd-"))) {
            FaultScene scene = start(row.with("--rdzv-endpoint", etcd.endpoint()));
            scene.awaitWorkers();
            etcd.kill();
            assertReports(row, scene);
        }
    }

    private void assertReported(FaultRow row) {
        FaultScene scene = start(row);
        row.inject().accept(scene);
        assertReports(row, scene);
    }

    private FaultScene start(FaultRow row) {
        FaultScene scene = new FaultScene(run, row.slots());
        List<String> options = new ArrayList<>(run.onEtcd(
                "--nnodes",
                "2",
                "--nproc-per-node",
                Integer.toString(row.slots()),
                "--max-restarts",
                "0",
                "--lease-ttl",
                "3s",
                "--shutdown-timeout",
                "2s"));
        options.addAll(row.options());
        List<String> program = new ArrayList<>(row.program());
        if (program.get(0).equals("sh")) {
            program.add(scene.file("first").toString());
        }
        scene.start(row.exitCode(), options, program);
        options.addAll(row.secondOptions());
        scene.start(row.exitCode(), options, program);
        return scene;
    }

    private static void assertReports(FaultRow row, FaultScene scene) {
        scene.ends().forEach((agent, exitCode) -> assertThat(agent.exitCode(TestRun.LIMIT))
                .as(agent::console)
                .isEqualTo(exitCode));
        scene.ends().keySet().forEach(agent -> assertReport(row, scene, agent));
        assertExplained(row, scene);
    }

    /** From the files of all agents: who, how we know, and what came of it. */
    private static void assertExplained(FaultRow row, FaultScene scene) {
        List<IncidentReport> incidents = Incidents.of(scene.events());
        IncidentReport last = incidents.get(incidents.size() - 1);
        row.kind().ifPresent(kind -> assertThat(last.culprits().get(0)).satisfies(culprit -> {
            assertThat(culprit).isInstanceOf(Culprit.FailedWorker.class);
            Culprit.FailedWorker worker = (Culprit.FailedWorker) culprit;
            assertThat(worker.how()).isEqualTo(kind);
            if (row.rank() != FaultRow.ANY) {
                assertThat(worker.rank()).isEqualTo(rank(row, scene));
                assertThat(worker.node()).isEqualTo(node(row, scene));
            }
        }));
        row.explained().accept(last);
        assertThat(last.outcome())
                .isEqualTo(row.exitCode() == 143 ? IncidentReport.Outcome.LEFT : IncidentReport.Outcome.FAILED);
        assertThat(incidents.get(0).outcome()).isEqualTo(IncidentReport.Outcome.STARTED);
    }

    private static void assertReport(FaultRow row, FaultScene scene, AgentProcess agent) {
        List<String> report = agent.output()
                .lines()
                .dropWhile(line -> !line.startsWith("elastic-run: "))
                .toList();
        assertThat(String.join("\n", report)).as(agent::console).containsSubsequence(row.required());
        assertThat(report.stream().filter(line -> line.startsWith("  also failed: ")))
                .as(agent::console)
                .allMatch(line -> row.severalFail());
        Optional<RunEvent.Root> root = agent.log().all(RunEvent.RunEnded.class).stream()
                .flatMap(end -> end.root().stream())
                .findFirst();
        assertThat(root.map(RunEvent.Root::rootHow)).as(agent::console).isEqualTo(row.kind());
        assertThat(String.join("\n", report).contains("root cause: rank "))
                .as(agent::console)
                .isEqualTo(root.isPresent());
        if (root.isPresent() && row.rank() != FaultRow.ANY) {
            assertThat(root.get().rootRank()).isEqualTo(rank(row, scene));
            assertThat(root.get().rootNode()).isEqualTo(node(row, scene));
        }
    }

    private static int rank(FaultRow row, FaultScene scene) {
        return row.rank() == FaultRow.SECOND ? FaultScene.firstRank(scene.owner(row.rank())) : row.rank();
    }

    private static String node(FaultRow row, FaultScene scene) {
        return scene.owner(row.rank()).nodeId().orElseThrow();
    }
}
