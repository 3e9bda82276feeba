/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.runtime.FrameworkRuntimeProvider;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What agents prepare for a framework around each round, and what they refuse. */
@Tag("once")
@Timeout(120)
final class RuntimeE2E {
    private static final Path CLASSES = Project.ROOT.resolve("samples/target/test-classes");
    private static final List<String> SHOW =
            List.of("sh", "-c", "env | grep -E '^(DMLC|MASTER|OUTSIDE)' | sort | xargs");

    /** As Kubeflow's Trainer sets them in a pod, however many workers there are in it. */
    private static final Map<String, String> OF_TRAINER = Map.of(
            "DMLC_TRACKER_URI", "myjob-node-0-0.myjob",
            "DMLC_TRACKER_PORT", "9091",
            "DMLC_TASK_ID", "3",
            "DMLC_NUM_WORKER", "4");

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void xgboost_hard_environmentHasTheTracker_andNotThatOfTheAgent() {
        List<String> options = run.onEtcd("--nnodes", "2", "--restart-policy", "hard", "--runtime", "xgboost");
        List<AgentProcess> agents = List.of(run.agent(OF_TRAINER, options, SHOW), run.agent(OF_TRAINER, options, SHOW));

        Map<String, MatchResult> printed = agents.stream()
                .map(agent -> match(
                        "DMLC_NUM_WORKER=2 DMLC_TASK_ID=(\\d) DMLC_TRACKER_PORT=(\\d+) DMLC_TRACKER_URI=(\\S+)"
                                + " MASTER_ADDR=(\\S+) MASTER_PORT=(\\d+)",
                        endedWell(agent)))
                .collect(Collectors.toMap(match -> match.group(1), match -> match));

        assertThat(printed).containsOnlyKeys("0", "1");
        MatchResult zero = Objects.requireNonNull(printed.get("0"));
        assertThat(zero.group(2))
                .as("the first's tracker is at the master endpoint")
                .isEqualTo(zero.group(5));
        assertThat(zero.group(3)).isEqualTo(zero.group(4));
        assertThat(printed.get("1")).satisfies(one -> {
            assertThat(one.group(5)).as("one master endpoint").isEqualTo(zero.group(5));
            assertThat(one.group(2)).as("each node has its own").isNotEqualTo(zero.group(2));
        });
        assertThat(agents.get(0).console())
                .contains("workers do not inherit DMLC_NUM_WORKER, DMLC_TASK_ID, DMLC_TRACKER_PORT, DMLC_TRACKER_URI:");
    }

    @Test
    void xgboost_soft_eachRoundHasATrackerOfItsOwn() {
        List<String> options = program(
                TrackerProgram.class, "--nnodes", "1:2", "--restart-policy", "soft", "--last-call-timeout", "1ms");
        List<String> program = List.of("samples/target/elastic-samples.jar", "2");
        AgentProcess first = run.agent(options, program);
        Patience.until(
                "a round of one",
                TestRun.LIMIT,
                () -> printed(first).contains("of 1 {"),
                () -> printed(first) + first.console());
        AgentProcess second = run.agent(options, program);

        Pattern line = Pattern.compile(
                "round \\d+ of (\\d) \\{DMLC_NUM_WORKER=(\\d), DMLC_TASK_ID=(\\d),"
                        + " DMLC_TRACKER_PORT=(\\d+), DMLC_TRACKER_URI=\\S+} next \\{\"world_size\":(\\d)} \\{\"rank\":(\\d),.*");
        List<MatchResult> ofFirst = line.matcher(endedWell(first)).results().toList();
        List<MatchResult> ofSecond = line.matcher(endedWell(second)).results().toList();

        assertThat(ofFirst).extracting(RuntimeE2E::numbers).containsExactly("1 1 0 1 0", "2 2 0 2 1");
        assertThat(ofSecond).extracting(RuntimeE2E::numbers).containsExactly("2 2 1 2 0");
        assertThat(ofFirst.get(1).group(4)).isNotEqualTo(ofFirst.get(0).group(4));
    }

    private static String numbers(MatchResult printed) {
        return String.join(
                " ", printed.group(1), printed.group(2), printed.group(3), printed.group(5), printed.group(6));
    }

    @Test
    void ownTracker_hard_rankZeroCanListenThere() {
        List<String> java = List.of(
                "sh",
                "-c",
                "MASTER_ADDR=$DMLC_TRACKER_URI MASTER_PORT=$DMLC_TRACKER_PORT RANK=$DMLC_TASK_ID"
                        + " WORLD_SIZE=$DMLC_NUM_WORKER exec '%s/bin/java' -Xshare:auto -XX:TieredStopAtLevel=1 -cp '%s' %s"
                                .formatted(
                                        System.getProperty("java.home"), CLASSES, MasterPortProgram.class.getName()));

        List<AgentProcess> agents = pair("hard", java, "--runtime", "xgboost:own-tracker");

        assertThat(agents.stream().map(RuntimeE2E::endedWell).toList()).containsOnlyOnce("rank 0 received [1]\n");
    }

    @Test
    void ownTracker_hard_programWithXgboostsTrackerTrains() {
        List<String> options = run.onEtcd("--nnodes", "2", "--restart-policy", "hard");
        options.addAll(List.of("--runtime", "xgboost:own-tracker"));
        options.addAll(List.of("--class-path", CLASSES.toString(), "--main-class", OwnTrackerProgram.class.getName()));
        List<String> program = List.of("samples/target/elastic-samples.jar");
        List<AgentProcess> agents = List.of(run.agent(options, program), run.agent(options, program));

        List<String> models = agents.stream()
                .map(agent -> match("of 2 model (-?\\d+)", endedWell(agent)).group(1))
                .toList();

        assertThat(models).hasSize(2);
        assertThat(models.get(1)).isEqualTo(models.get(0));
    }

    @Test
    void reservedNamesAndUnknownRuntimes_areRefused() {
        AgentProcess reserved = run.agent(
                List.of(
                        "--standalone",
                        "--runtime",
                        "xgboost",
                        "--env",
                        "DMLC_TASK_ID=0",
                        "--env",
                        "DMLC_TRACKER_URI=x"),
                SHOW);
        AgentProcess unknown = run.agent(List.of("--standalone", "--runtime", "tensor"), SHOW);

        assertThat(reserved.exitCode(TestRun.LIMIT)).isEqualTo(2);
        assertThat(reserved.output())
                .contains("--env DMLC_TASK_ID: set for workers", "--env DMLC_TRACKER_URI: set for workers");
        assertThat(unknown.exitCode(TestRun.LIMIT)).isEqualTo(2);
        assertThat(unknown.output()).contains("--runtime: tensor (expected: ", "xgboost[:own-tracker]");
    }

    @Test
    void joinerWithAnotherRuntime_isRefused() {
        List<String> sleep = List.of("sleep", "1000");
        List<String> options = run.onEtcd("--nnodes", "1:2", "--restart-policy", "hard", "--last-call-timeout", "1ms");
        List<String> xgboost = new ArrayList<>(options);
        xgboost.addAll(List.of("--runtime", "xgboost"));
        AgentProcess first = run.agent(xgboost, sleep);
        first.await("a worker", TestRun.LIMIT, log -> !log.all("worker.started").isEmpty());

        AgentProcess other = run.agent(options, sleep);

        assertThat(other.exitCode(TestRun.LIMIT)).as(other::console).isEqualTo(2);
        assertThat(other.output()).contains("--runtime: none (expected: xgboost,", run.id());
        first.signal("TERM");
        assertThat(first.exitCode(TestRun.LIMIT)).as(first::console).isEqualTo(143);
    }

    @Test
    void runtimeOfAUser_isAskedAndItsFailureNamed() throws IOException {
        String path = policyDirectory().toString();

        AgentProcess asked =
                run.agent(List.of("--standalone", "--policy-path", path, "--runtime", "outside:mine"), SHOW);
        AgentProcess failing = run.agent(
                List.of("--standalone", "--max-restarts", "0", "--policy-path", path, "--runtime", "outside:?"), SHOW);

        assertThat(endedWell(asked)).contains("OUTSIDE=mine");
        assertThat(failing.exitCode(TestRun.LIMIT)).as(failing::console).isEqualTo(1);
        assertThat(failing.output()).contains(OutsideRuntime.NAME + ":?", OutsideRuntime.WHY + 1);
        assertThat(failing.workerOutputs()).isEmpty();
    }

    /** As when its port is taken: that is no reason for a node to end. */
    @ParameterizedTest
    @ValueSource(strings = {"hard", "soft", "soft-replace"})
    void runtimeThatFailsOnce_costsTheAttempt(String policy) throws IOException {
        String path = policyDirectory().toString();

        AgentProcess agent = run.agent(
                List.of(
                        "--standalone",
                        "--nproc-per-node",
                        "2",
                        "--restart-policy",
                        policy,
                        "--policy-path",
                        path,
                        "--runtime",
                        "outside:late"),
                Project.training(3, 1));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        assertThat(agent.output()).contains(OutsideRuntime.NAME + ":late", OutsideRuntime.WHY + 1);
    }

    private List<AgentProcess> pair(String policy, List<String> program, String... more) {
        List<String> options = run.onEtcd("--nnodes", "2", "--restart-policy", policy);
        options.addAll(List.of(more));
        return List.of(run.agent(options, program), run.agent(options, program));
    }

    private List<String> program(Class<?> main, String... more) {
        List<String> options = run.onEtcd(more);
        options.addAll(List.of("--runtime", "xgboost"));
        options.addAll(List.of("--class-path", CLASSES.toString(), "--main-class", main.getName()));
        return options;
    }

    private static String endedWell(AgentProcess agent) {
        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        return printed(agent);
    }

    private static String printed(AgentProcess agent) {
        return String.join("", agent.workerOutputs());
    }

    private static MatchResult match(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .findFirst()
                .orElseThrow(() -> new AssertionError(text + " (expected: " + pattern + ")"));
    }

    private Path policyDirectory() throws IOException {
        return OutsidePart.in(run.directory(), FrameworkRuntimeProvider.class, OutsideRuntime.class);
    }
}
