/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three loops in each worker, one after the other, and a worker that is killed in the second one. */
@Timeout(120)
@Tag("once")
final class SeveralLoopsE2E {
    private static final int WORKERS = 2;
    private static final Pattern LAST_LINE =
            Pattern.compile("steps \\[10, (\\d+), 10] sums \\[10, (\\d+), 30] entered \\[(.*)] version (\\d+)");

    @RegisterExtension
    final TestRun run = new TestRun();

    @ParameterizedTest
    @CsvSource({
        "2, soft, false",
        "1, soft-elastic, false",
        "1, soft-elastic, true",
        "1, soft-replace, false",
        "1, soft-replace, true",
        "1, hard, false"
    })
    void workerKilledInTheSecondLoop_theFirstIsNotRunAgain(int nodes, String policy, boolean isLazy)
            throws IOException {
        Path end = run.directory().resolve("end");
        List<AgentProcess> agents = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            agents.add(run.agent(
                    options(nodes, policy),
                    List.of("samples/target/elastic-samples.jar", end.toString(), Boolean.toString(isLazy))));
        }
        int size = nodes * WORKERS;
        AgentProcess[] all = agents.toArray(AgentProcess[]::new);
        long round = run.awaitTogether(size, all);
        AgentProcess stumbling = agents.get(0);
        Patience.until(
                "a step in the second loop",
                TestRun.LIMIT,
                () -> stumbling.workerOutputs().stream()
                        .anyMatch(output -> output.contains("fold 1 has done step 3\n")),
                stumbling::console);

        Recoveries.killWorker(stumbling);
        run.awaitTogether(round, size, all);
        Files.createFile(end);

        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        }
        List<MatchResult> lines = agents.stream()
                .flatMap(agent -> agent.workerOutputs().stream())
                .flatMap(output -> LAST_LINE.matcher(output).results())
                .toList();
        assertThat(lines).as(stumbling::console).hasSize(size);
        assertThat(lines).allSatisfy(line -> {
            long steps = Long.parseLong(line.group(1));
            assertThat(Long.parseLong(line.group(2))).isEqualTo(2 * steps);
            // The last step of each loop is committed with its end.
            assertThat(Long.parseLong(line.group(4))).isEqualTo(2 * FoldsProgram.STEPS + steps);
        });
        assertThat(lines)
                .extracting(line -> line.group(1))
                .containsOnly(lines.get(0).group(1));
        assertThat(lines).extracting(line -> line.group(3)).contains("1, 2");
    }

    private List<String> options(int nodes, String policy) {
        List<String> options = new ArrayList<>(
                nodes == 1
                        ? List.of("--standalone")
                        : run.onEtcd("--nnodes", "1:" + nodes, "--lease-ttl", "10s", "--last-call-timeout", "60s"));
        options.addAll(List.of(
                "--nproc-per-node",
                Integer.toString(WORKERS),
                "--restart-policy",
                policy,
                "--class-path",
                Project.TEST_CLASS_PATH,
                "--main-class",
                FoldsProgram.class.getName()));
        return options;
    }
}
