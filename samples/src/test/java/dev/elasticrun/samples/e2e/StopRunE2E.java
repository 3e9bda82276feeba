/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker that finds its data unusable ends the run for everybody, and everybody reports why. */
@Timeout(120)
@Tag("once")
final class StopRunE2E {
    @RegisterExtension
    final TestRun run = new TestRun();

    @ParameterizedTest
    @ValueSource(strings = {"soft", "hard"})
    void train_dataFileMissing_endsEverywhereWithItsName(String policy) {
        Path file = run.directory().resolve("nowhere.csv");

        assertEndsEverywhere(policy, file, "data file " + file + ": not found (expected: a CSV file, see --data)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft", "hard"})
    void train_badRow_endsEverywhereWithRowAndExpectation(String policy) throws IOException {
        Path file = run.directory().resolve("bad.csv");
        List<String> lines =
                new ArrayList<>(Files.readAllLines(Project.ROOT.resolve("samples/data/breast-cancer.csv")));
        lines.set(6, lines.get(6).replaceFirst("^[^,]*", "much"));
        Files.write(file, lines);

        assertEndsEverywhere(
                policy, file, "data file " + file + " line 7: expected a number in column 1, found 'much'");
    }

    /** Only one of the two nodes has the bad file. */
    private void assertEndsEverywhere(String policy, Path file, String message) {
        List<String> options =
                run.onEtcd("--nnodes", "2", "--nproc-per-node", "2", "--restart-policy", policy, "--max-restarts", "3");
        AgentProcess good = run.agent(options, Project.training(1000, TestRun.STEP_MILLIS));
        // A run that has ended before the second node knew of it would be a new run for that one.
        good.await(RunEvent.RunJoined.class);
        AgentProcess bad =
                run.agent(options, List.of("samples/target/elastic-samples.jar", "train", "--data", file.toString()));

        for (AgentProcess agent : List.of(good, bad)) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(1);
            assertThat(agent.log().rootCause().rootHow()).isEqualTo(FailureKind.STOPPED_THE_RUN);
            assertThat(agent.log().rootCause().rootMessage()).isEqualTo(message);
            assertThat(agent.output()).contains(message);
            assertThat(agent.log().all("round.sealed"))
                    .allSatisfy(round -> assertThat(round.number("budget_used")).isZero());
        }
    }
}
