/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.elasticrun.samples.FaultFree;
import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.Step;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.samples.testing.Trained;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One agent with four workers and the store inside. */
@Timeout(180)
final class StandaloneE2E {
    private static final int WORKERS = 4;
    private static final int STEPS = 1000;
    /** They take longer than the lease of an agent, of 3 s, and the store's tick. */
    private static final int LEASE_STEPS = 4500 / TestRun.STEP_MILLIS;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void train_nothingHappens_endsAsComputedInOneThread() {
        AgentProcess agent = start("soft", Project.training(STEPS, 0));

        assertThat(agent.exitCode(TestRun.LIMIT)).isZero();
        assertThat(run.trained()).singleElement().satisfies(trained -> {
            assertThat(trained.accuracy()).isGreaterThanOrEqualTo(0.95);
            assertThat(trained.loss()).isEqualTo(FaultFree.loss(STEPS), within(1e-6));
            assertThat(trained.roundsSeen()).isOne();
        });
        assertThat(agent.output()).contains("step 40/1000 loss ", "world 4 round 1", "accuracy 0.9");
        assertThat(agent.log().everStarted()).hasSize(WORKERS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft", "hard"})
    @Tag("once")
    void train_workerKilled_goesOnFromTheCheckpointInTheRunDirectory(String policy) {
        AgentProcess agent = start(policy, run.training(STEPS));
        long round = run.awaitTogether(WORKERS, agent);
        run.awaitStep(40);
        AgentLog.Slot victim = agent.log().running().get(1);

        agent.worker(victim.pid()).destroyForcibly();

        run.awaitTogether(round, WORKERS, agent);
        run.hurryUp();
        assertThat(agent.exitCode(TestRun.LIMIT)).isZero();
        List<Step> steps = run.steps();
        int reached = lastOf(steps, round);
        int resumed = steps.stream()
                .filter(step -> step.round() > round)
                .findFirst()
                .orElseThrow()
                .step();
        // What is committed when all die at once may not be in the file yet: a few steps are done twice.
        assertThat(resumed).isBetween(Math.max(2, reached - 20), reached + 2);
        assertThat(run.trained()).singleElement().satisfies(this::isAsGoodAsFaultFree);
        assertThat(agent.log().everStarted()).hasSize(2 * WORKERS);
        assertThat(agent.log().all("worker.failed"))
                .anySatisfy(incident -> assertThat(incident.text("message")).contains("SIGKILL"));
    }

    /** As in a terminal with Ctrl-Z, or on a machine that has no time for it: there is no other node that could go on instead. */
    @Test
    void agent_stoodStillForLongerThanItsLease_workersGoOnInTheirRound() {
        AgentProcess agent = start("soft", run.training(STEPS));
        run.awaitTogether(WORKERS, agent);
        run.awaitStep(10);

        agent.signal("STOP");
        int before = run.lastStep();
        run.awaitStep(before + LEASE_STEPS);
        agent.signal("CONT");

        run.hurryUp();
        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        assertThat(run.trained()).singleElement().satisfies(trained -> {
            assertThat(trained.loss()).isEqualTo(FaultFree.loss(STEPS), within(1e-6));
            assertThat(trained.roundsSeen()).isOne();
        });
        assertThat(agent.log().everStarted()).hasSize(WORKERS);
    }

    /** Its workers get the worker API from the command, and it has the default policy of programs with the API. */
    @Test
    void thinJar_runsWithTheApiOfTheCommand() throws IOException {
        Path jar = run.directory().resolve("thin.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, SumProgram.class.getName());
        String entry = SumProgram.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream code = SumProgram.class.getResourceAsStream("/" + entry)) {
            out.putNextEntry(new ZipEntry(entry));
            code.transferTo(out);
        }

        AgentProcess agent =
                run.agent(List.of("--standalone", "--nproc-per-node", "2"), List.of(jar.toString(), "5", "10"));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        assertThat(agent.output()).contains("soft-elastic by default", "sum 5 of 2");
    }

    private void isAsGoodAsFaultFree(Trained trained) {
        double expected = FaultFree.loss(STEPS);
        assertThat(trained.accuracy()).isGreaterThanOrEqualTo(0.95);
        assertThat(trained.loss()).isEqualTo(expected, within(expected * 0.01));
        assertThat(trained.steps()).isEqualTo(STEPS);
        assertThat(trained.roundsSeen()).isEqualTo(2);
    }

    private AgentProcess start(String policy, List<String> program) {
        return run.agent(
                List.of("--standalone", "--nproc-per-node", Integer.toString(WORKERS), "--restart-policy", policy),
                program);
    }

    private static int lastOf(List<Step> steps, long round) {
        return steps.stream()
                .filter(step -> step.round() == round)
                .mapToInt(Step::step)
                .max()
                .orElseThrow();
    }
}
