/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workers in Python, with the file channel and nothing else: they outlive rounds, and nothing is summed twice. */
@Timeout(120)
final class PythonWorkerE2E {
    private static final Path CLIENT = Project.ROOT.resolve("integrations/python");
    private static final int STEPS = 150;
    private static final int STEP_MILLIS = 20;
    /** Of the numbers below 120, in each step. */
    private static final long RESULT = STEPS * 7140L;

    /** Fails unless the file has the syntax of Python 3.9 and imports nothing but the standard library. */
    private static final String CHECK = """
            import ast, sys
            source = ast.parse(open(sys.argv[1]).read(), feature_version=(3, 9))
            names = {alias.name for node in ast.walk(source) if isinstance(node, ast.Import) for alias in node.names}
            names |= {node.module for node in ast.walk(source) if isinstance(node, ast.ImportFrom)}
            sys.exit(str(names - set(sys.stdlib_module_names)) if names - set(sys.stdlib_module_names) else 0)
            """;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("once")
    void client_isOneFileOfPython39WithoutDependencies() throws IOException, InterruptedException {
        Process check = new ProcessBuilder(
                        "python3", "-c", CHECK, CLIENT.resolve("elastic_run.py").toString())
                .redirectErrorStream(true)
                .start();

        assertThat(new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEmpty();
        assertThat(check.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(check.exitValue()).isZero();
    }

    /** Under {@code soft} the node of the killed worker starts all of its workers anew, else only the one. */
    @ParameterizedTest
    @Tag("once")
    @CsvSource({"soft, 4", "soft-replace, 3", "soft-elastic, 3"})
    void sum_workerKilled_othersContinueAndTheResultIsRight(String policy, int startedThere) {
        AgentProcess steady = agent(policy);
        AgentProcess stumbling = agent(policy);
        run.awaitTogether(4, steady, stumbling);
        List<Long> before = pids(steady);
        steady.awaitOutput("step 30 ", TestRun.LIMIT);

        stumbling.worker(pids(stumbling).get(0)).destroyForcibly();

        for (AgentProcess agent : List.of(steady, stumbling)) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent.console()).isZero();
        }
        assertThat(steady.log().everStarted()).containsExactlyElementsOf(before);
        assertThat(stumbling.log().everStarted()).hasSize(startedThere);
        assertThat(steady.output()).contains("result " + RESULT);
        List<RunEvent.WorkerMetric> metrics = steady.log().all(RunEvent.WorkerMetric.class);
        assertThat(metrics.subList(metrics.size() - 2, metrics.size())).allSatisfy(metric -> {
            assertThat(metric.name()).isEqualTo("sum");
            assertThat(metric.value()).contains((double) RESULT);
        });
    }

    /** Its workers are past their lease: they leave the round by themselves, and come back in another one. */
    @Test
    @Tag("slow")
    void sum_agentFrozenBeyondItsLease_itsWorkersComeBackAndTheResultIsRight() {
        AgentProcess steady = agent("soft", "--lease-ttl", "2s");
        AgentProcess frozen = agent("soft", "--lease-ttl", "2s");
        long first = run.awaitTogether(4, steady, frozen);
        steady.awaitOutput("step 30 ", TestRun.LIMIT);

        frozen.signal("STOP");
        run.awaitTogether(first, 2, steady);
        frozen.signal("CONT");

        for (AgentProcess agent : List.of(steady, frozen)) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent.console()).isZero();
            assertThat(agent.log().everStarted()).hasSize(2);
        }
        assertThat(steady.output()).contains("result " + RESULT);
    }

    @Test
    @Tag("once")
    void exception_isTheFailureThatTheRunReports() {
        AgentProcess agent = run.agent(
                List.of("--standalone", "--restart-policy", "hard", "--max-restarts", "0"),
                List.of("python3", "-B", CLIENT.resolve("sum_worker.py").toString(), "no number", "20"));

        assertThat(agent.exitCode(TestRun.LIMIT)).isEqualTo(1);
        RunEvent.Root root = agent.log().rootCause();
        assertThat(root.toString()).contains("ValueError: invalid literal for int()");
    }

    private AgentProcess agent(String policy, String... more) {
        List<String> options = new ArrayList<>(
                run.onEtcd("--nnodes", "1:2", "--nproc-per-node", "2", "--restart-policy", policy, "--tee", "3"));
        options.addAll(List.of(more));
        return run.agent(
                options,
                List.of(
                        "python3",
                        "-B",
                        CLIENT.resolve("sum_worker.py").toString(),
                        Integer.toString(STEPS),
                        Integer.toString(STEP_MILLIS)));
    }

    private static List<Long> pids(AgentProcess agent) {
        return agent.log().running().stream().map(AgentLog.Slot::pid).toList();
    }
}
