/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Restart policies that do not come with the launcher. */
@Timeout(240)
final class PolicyE2E {
    private static final int WORKERS = Recoveries.WORKERS;
    private static final String SAMPLES = "samples/target/elastic-samples.jar";

    @RegisterExtension
    final TestRun run = new TestRun();

    @Tag("once")
    @Test
    void samplePolicy_withOption_isSoftForSoManyFailuresAndThenStartsAllAgain() {
        Recoveries recoveries = withSample("soft-at-first:first=1");
        AgentProcess steady = recoveries.start();
        AgentProcess stumbling = recoveries.start();
        long round = run.awaitTogether(2 * WORKERS, steady, stumbling);
        run.awaitStep(20);

        Recoveries.killWorker(stumbling);
        round = run.awaitTogether(round, 2 * WORKERS, steady, stumbling);
        assertThat(steady.log().everStarted()).hasSize(WORKERS);
        Recoveries.killWorker(stumbling);
        run.awaitTogether(round, 2 * WORKERS, steady, stumbling);
        AgentProcess other = withSample("soft-at-first:first=2").start();
        assertThat(other.exitCode(TestRun.LIMIT)).as(other::console).isEqualTo(2);

        recoveries.assertEndedWell(steady, stumbling);
        recoveries.assertGoesOn(0);
        assertThat(other.output())
                .contains("--restart-policy: soft-at-first:first=2 (expected: soft-at-first:first=1, with which run ");
        assertThat(steady.log().everStarted()).hasSize(2 * WORKERS);
        assertThat(stumbling.log().everStarted()).hasSize(3 * WORKERS);
        assertThat(Recoveries.coordinator(steady, stumbling).log().all(RunEvent.RoundSuspended.class))
                .flatExtracting(RunEvent.RoundSuspended::causes)
                .filteredOn(Cause.Policy.class::isInstance)
                .extracting(cause -> ((Cause.Policy) cause).text())
                .containsOnly(
                        "workers of [" + stumbling.nodeId().orElseThrow() + "] failed (signal 9) after 1 restarts");
    }

    private Recoveries withSample(String policy) {
        return new Recoveries(run, policy, "2:2", "--policy-path", SAMPLES);
    }

    @Tag("once")
    @Test
    void optionBad_isRefusedBeforeAnythingStarts() {
        AgentProcess agent = run.agent(
                List.of("--standalone", "--restart-policy", "soft-at-first:first=two", "--policy-path", SAMPLES),
                Project.training(10, 20));

        assertThat(agent.exitCode(TestRun.LIMIT)).isEqualTo(2);
        assertThat(agent.output())
                .contains("--restart-policy: soft-at-first:first=two (expected: first=N with N from ");
        assertThat(agent.log().everStarted()).isEmpty();
    }

    @Test
    void policyThrows_runEndsAndReportsWhy() throws IOException {
        AgentProcess agent = run.agent(
                List.of(
                        "--standalone",
                        "--nproc-per-node",
                        "2",
                        "--restart-policy",
                        ConfusedPolicy.NAME,
                        "--policy-path",
                        policyDirectory().toString()),
                Project.training(2000, 20, "--report-every", "1"));
        run.awaitTogether(2, agent);

        Recoveries.killWorker(agent);

        assertThat(agent.exitCode(TestRun.LIMIT)).isEqualTo(1);
        assertThat(agent.log().all(RunEvent.RunEnded.class)).singleElement().satisfies(end -> assertThat(end.reason())
                .contains(ConfusedPolicy.NAME, IllegalStateException.class.getName() + ": " + ConfusedPolicy.WHY));
    }

    /** The jar contains the worker API, and this program does not use it. */
    @Tag("once")
    @Test
    void noPolicyGiven_programWithoutTheApiEnds_theRunEndsAndTheRemedyIsNamed() {
        List<String> options = List.of(
                "--standalone",
                "--nproc-per-node",
                "2",
                "--class-path",
                Project.ROOT.resolve("samples/target/test-classes").toString(),
                "--main-class",
                PlainProgram.class.getName());

        AgentProcess agent = run.agent(options, List.of("samples/target/elastic-samples.jar"));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        assertThat(agent.workerOutputs()).hasSize(2).allMatch(output -> output.contains(PlainProgram.DONE));
        assertThat(agent.console())
                .contains("restart policy soft-elastic by default", "none called getWorkerInfo()")
                .contains("--restart-policy hard");
    }

    @Tag("once")
    @Test
    void policyUnknown_isRefusedBeforeAnythingStarts() {
        List<String> options = new ArrayList<>(List.of("--standalone", "--restart-policy", ConfusedPolicy.NAME));
        AgentProcess agent = run.agent(options, Project.training(10, 20));

        assertThat(agent.exitCode(TestRun.LIMIT)).isEqualTo(2);
        assertThat(agent.output()).contains("--restart-policy: confused (expected: ");
    }

    /** What a user would pack into a jar. */
    private Path policyDirectory() throws IOException {
        Path directory = run.directory().resolve("policies");
        String name = ConfusedPolicy.class.getName().replace('.', '/') + ".class";
        Path copy = directory.resolve(name);
        Files.createDirectories(copy.getParent());
        try (InputStream compiled = ConfusedPolicy.class.getClassLoader().getResourceAsStream(name)) {
            Files.copy(Objects.requireNonNull(compiled, name), copy);
        }
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(RestartPolicyStrategy.class.getName()), ConfusedPolicy.class.getName());
        return directory;
    }
}
