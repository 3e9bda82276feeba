/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.elasticrun.agent.schema.SchemaFile;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What commands report of a run whose coordinator is killed: while it changes, and when all is over. */
@Tag("once")
@Timeout(120)
final class SeeE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void coordinatorKilled_statusAnswersAllTheTime_andTheIncidentIsExplainedAndReplayed() throws IOException {
        AgentProcess first = agent();
        first.await("it coordinates", TestRun.LIMIT, log -> !log.all("coordinator.elected")
                .isEmpty());
        AgentProcess second = agent();
        long together = run.awaitTogether(2, first, second);
        Links.await(first, second);
        String killed = first.nodeId().orElseThrow();

        first.jvm().destroyForcibly();
        // By the store: the run file of the one that was killed leads nowhere.
        List<String> store = List.of("--rdzv-endpoint", run.etcd().endpoint());
        for (int i = 0; i < 2; i++) {
            Command.Result status = elasticRun(store, "status");
            assertThat(status.exitCode()).as(status::output).isZero();
            assertThat(status.output()).contains("run " + run.id());
        }
        run.awaitTogether(together, 1, second);

        JsonNode explained = elasticRun(List.of(), "explain", "2", "--json").json();
        SchemaFile.of("explain.json").assertDescribes(explained);
        SchemaFile.of("status.json")
                .assertDescribes(elasticRun(List.of(), "status", "--json").json());
        JsonNode incident = explained.path("incidents").path(0);
        assertThat(incident.path("outcome").asText()).isEqualTo("went_on");
        assertThat(incident.path("to_round").asInt()).isEqualTo(2);
        assertThat(incident.path("world_size").asInt()).isOne();
        assertThat(incident.path("culprits")).singleElement().satisfies(culprit -> {
            assertThat(culprit.path("what").asText()).isEqualTo("node_lost");
            assertThat(culprit.path("node").asText()).isEqualTo(killed);
            assertThat(culprit.path("how").asText()).isEqualTo("proved");
        });
        assertThat(elasticRun(List.of(), "explain").output()).contains(killed);
        JsonNode here = Objects.requireNonNull(listed(elasticRun("list", "--json")));
        assertThat(here.path("state").asText()).isEqualTo("running");
        assertThat(here.path("policy").asText()).isEqualTo("soft-no-replace");
        assertThat(here.path("world_size").asInt()).isOne();
        Command.Result stored =
                elasticRun("list", "--json", "--rdzv-endpoint", run.etcd().endpoint());
        JsonNode inStore = Objects.requireNonNull(listed(stored));
        assertThat(inStore.path("state").asText()).isEqualTo("running");
        assertThat(inStore.path("nodes")).hasSize(1);
        Command.Result replayed = elasticRun(List.of(), "replay", "2");
        assertThat(replayed.exitCode()).as(replayed::output).isZero();
        assertThat(replayed.output()).contains("round 2 is sealed, 1 worker on ", killed, "same decision");
        second.signal("TERM");
        assertThat(second.exitCode(TestRun.LIMIT)).isEqualTo(143);
        assertThatEventsHaveTheirSchema(first, second);

        List<String> files = List.of("--log-dir", second.logs().toString());
        assertThat(elasticRun(files, "events", "--kind", "agent.ended").output())
                .contains("exit_code=143")
                .doesNotContain(killed);
        assertThatDecisionsOfTheEndedRunAreReplayed(files);
        assertThat(listed(elasticRun("list", "--json"))).isNull();
        JsonNode ended = Objects.requireNonNull(listed(
                elasticRun("list", "--all", "--json", "--log-dir", second.logs().toString())));
        assertThat(ended).isEqualTo(listed(elasticRun(files, "status", "--json")));
        assertThat(ended.path("state").asText()).isEqualTo("left");
        assertThat(ended.path("exit_code").asInt()).isEqualTo(143);
        assertThat(ended.path("round").asInt()).isEqualTo(2);
    }

    /** The run of this test in a list; null = it is not there. */
    private @Nullable JsonNode listed(Command.Result list) {
        assertThat(list.exitCode()).as(list::output).isZero();
        SchemaFile.of("run-list.json").assertDescribes(list.json());
        for (JsonNode one : list.json().path("runs")) {
            if (one.path("run").asText().equals(run.id())) {
                return one;
            }
        }
        return null;
    }

    private static void assertThatEventsHaveTheirSchema(AgentProcess... agents) throws IOException {
        SchemaFile schema = SchemaFile.of("event.json");
        for (AgentProcess agent : agents) {
            try (Stream<Path> files = Files.walk(agent.logs())) {
                List<Path> events =
                        files.filter(file -> file.endsWith("events.jsonl")).toList();
                assertThat(events).hasSize(1);
                schema.assertDescribesLines(events.get(0));
            }
        }
    }

    private void assertThatDecisionsOfTheEndedRunAreReplayed(List<String> files) {
        Command.Result byAnother = elasticRun(files, "replay", "2", "--policy", "hard", "--format", "json");
        assertThat(byAnother.exitCode()).as(byAnother::output).isOne();
        SchemaFile.of("replay.json").assertDescribes(byAnother.json());
        assertThat(byAnother.json().path("same").asBoolean()).isFalse();
        Command.Result unknown = elasticRun(files, "replay", "77");
        assertThat(unknown.exitCode()).as(unknown::output).isEqualTo(2);
        assertThat(unknown.output()).contains("INCIDENT: 77");
    }

    private AgentProcess agent() {
        return run.agent(
                run.onEtcd(
                        "--nnodes",
                        "1:2",
                        "--restart-policy",
                        "soft",
                        "--verbose",
                        "--last-call-timeout",
                        "10s",
                        "--lease-ttl",
                        "2s"),
                List.of("samples/target/elastic-samples.jar", "epochs", "10000", "1000", "50"));
    }

    /** A command about this run. */
    private Command.Result elasticRun(List<String> more, String... command) {
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of("--run-id", run.id()));
        line.addAll(more);
        return elasticRun(line.toArray(String[]::new));
    }

    private Command.Result elasticRun(String... command) {
        List<String> line = new ArrayList<>(List.of(Project.LAUNCHER.toString()));
        line.addAll(List.of(command));
        return Command.run(Map.of("TMPDIR", run.temporary().toString()), TestRun.LIMIT, line);
    }
}
