/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A script that knows nothing of elastic-run but its environment meets its peers at the master endpoint. */
@Tag("once")
@Timeout(180)
final class EnvScriptE2E {
    private static final int WORKERS = 2;
    private static final int NODES = 2;

    /** In the order of the design. */
    private static final List<String> VARIABLES = List.of(
            "RANK",
            "WORLD_SIZE",
            "LOCAL_RANK",
            "LOCAL_WORLD_SIZE",
            "ROLE_NAME",
            "ROLE_RANK",
            "ROLE_WORLD_SIZE",
            "GROUP_RANK",
            "GROUP_WORLD_SIZE",
            "MASTER_ADDR",
            "MASTER_PORT",
            "ELASTIC_RUN_ID",
            "ELASTIC_ROUND",
            "ELASTIC_RESTART_COUNT",
            "ELASTIC_MAX_RESTARTS",
            "ELASTIC_CHANNEL_DIR",
            "ELASTIC_ERROR_FILE");

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void script_oneRankFailsOnce_meetsAtAnotherPortInTheNextRound() throws IOException {
        List<AgentProcess> agents = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            agents.add(run.agent(
                    run.onEtcd("--nnodes", "2", "--nproc-per-node", "2", "--restart-policy", "hard"),
                    List.of(script().toString())));
        }

        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        }

        Set<String> ports = new HashSet<>();
        for (int attempt = 0; attempt <= 1; attempt++) {
            List<String> outputs = outputs(agents, attempt);
            assertThat(outputs).as("what attempt " + attempt + " printed").hasSize(NODES * WORKERS);
            for (String output : outputs) {
                VARIABLES.forEach(
                        name -> assertThat(value(output, name)).as(name).isNotEmpty());
                assertThat(value(output, "WORLD_SIZE")).isEqualTo("4");
                assertThat(value(output, "GROUP_WORLD_SIZE")).isEqualTo("2");
                assertThat(value(output, "ELASTIC_RUN_ID")).isEqualTo(run.id());
                assertThat(value(output, "ELASTIC_RESTART_COUNT")).isEqualTo(Integer.toString(attempt));
            }
            assertThat(values(outputs, "RANK")).containsExactlyInAnyOrder("0", "1", "2", "3");
            assertThat(new HashSet<>(values(outputs, "MASTER_PORT"))).hasSize(1);
            assertThat(new HashSet<>(values(outputs, "ELASTIC_ROUND"))).hasSize(1);
            ports.addAll(values(outputs, "MASTER_PORT"));
        }
        assertThat(ports).as("master ports of two rounds").hasSize(2);
        assertThat(outputs(agents, 1))
                .filteredOn(output -> output.contains("rank 0 received "))
                .singleElement()
                .satisfies(output -> assertThat(output).contains("rank 0 received [1, 2, 3]"));
    }

    private Path script() throws IOException {
        Path script = run.directory().resolve("meet.sh");
        Path classes = Project.ROOT.resolve("samples/target/test-classes");
        if (!Files.exists(script)) {
            Files.writeString(
                    script, """
                    #!/bin/sh
                    env | grep -E '^(RANK|WORLD_SIZE|(LOCAL|ROLE|GROUP|MASTER|ELASTIC)_[A-Z_]*)='
                    : > "$0.$ELASTIC_RESTART_COUNT.$RANK"
                    if [ "$RANK" = 2 ] && [ "$ELASTIC_RESTART_COUNT" = 0 ]; then
                        # The others are stopped with it, and must have printed before.
                        for peer in 0 1 3; do
                            while [ ! -e "$0.0.$peer" ]; do sleep 0.05; done
                        done
                        exit 3
                    fi
                    exec '%s/bin/java' -Xshare:auto -XX:TieredStopAtLevel=1 -cp '%s' %s
                    """.formatted(System.getProperty("java.home"), classes, MasterPortProgram.class.getName()));
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        }
        return script;
    }

    private static List<String> outputs(List<AgentProcess> agents, int attempt) {
        return agents.stream()
                .flatMap(agent -> Stream.of(0, 1).map(slot -> agent.workerOutput(slot, attemptOf(agent, attempt))))
                .toList();
    }

    /** Names of attempts are the agent's: what counts is their order. */
    private static int attemptOf(AgentProcess agent, int index) {
        return (int) agent.log().all("worker.started").stream()
                .mapToLong(event -> event.number("attempt"))
                .distinct()
                .sorted()
                .skip(index)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> values(List<String> outputs, String name) {
        return outputs.stream().map(output -> value(output, name)).toList();
    }

    private static String value(String output, String name) {
        return output.lines()
                .filter(line -> line.startsWith(name + "="))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }
}
