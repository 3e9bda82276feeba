/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Boosted;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * XGBoost's own collective under real agents: what was trained through a loss is what would have been without it. Now and
 * then a survivor hangs in native code and is killed, too: that makes a round more, and nothing else.
 */
@Tag("once")
@Timeout(180)
final class XgboostE2E {
    private static final int ROUNDS = 150;
    private static final String[] TWO_PARTS = {"--shards", "fixed:2"};

    /** Of a run in which nothing happens. */
    private static Boosted undisturbed = new Boosted(0, "", "", 0);

    @TempDir
    private static Path directory;

    @RegisterExtension
    final TestRun run = new TestRun();

    @BeforeAll
    static void train_nothingHappens() {
        List<String> program = new ArrayList<>(Project.boosting(ROUNDS, 0));
        program.addAll(List.of(TWO_PARTS));
        try (AgentProcess agent = AgentProcess.start(directory, options("soft"), program)) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            undisturbed = Boosted.in(agent.workerOutputs().stream()).get(0);
        }
    }

    @Test
    void boost_workerKilledAndReplaced_endsWithTheSameModel() {
        assertSameModel("soft-replace", 0);
    }

    @ParameterizedTest(name = "{0}, local rank {1}")
    @CsvSource({"soft-replace, 1", "soft, 0", "hard, 1"})
    void boost_workerKilledUnderAnyPolicy_endsWithTheSameModel(String policy, int victim) {
        assertSameModel(policy, victim);
    }

    /** One goes on alone with its part; the other comes back with its own in the background. */
    @Test
    void boost_nodeLostAndBack_goesOnWithFewer() {
        AgentProcess steady = node(0);
        AgentProcess dying = node(1);
        long round = run.awaitTogether(2, steady, dying);
        run.awaitStep(3);

        Recoveries.killNode(dying);
        round = run.awaitTogether(round, 1, steady);
        AgentProcess late = node(1);
        run.awaitTogether(round, 2, steady, late);

        assertEndedWell(2, steady, late);
        assertThat(run.boosted()).singleElement().satisfies(boosted -> {
            assertThat(boosted.rounds()).isEqualTo(ROUNDS);
            assertThat(boosted.roundsSeen()).isGreaterThan(1);
        });
    }

    @Test
    void boost_badParameter_endsTheRunWithXgboostsWords() {
        List<String> program = new ArrayList<>(run.boosting(ROUNDS, TWO_PARTS));
        program.addAll(List.of("--param", "max_depth=-3"));
        AgentProcess agent = run.agent(options("soft"), program);

        assertThat(agent.exitCode(TestRun.LIMIT)).isOne();
        assertThat(agent.log().rootCause().rootHow()).isEqualTo(FailureKind.STOPPED_THE_RUN);
        assertThat(agent.log().rootCause().rootMessage()).contains("max_depth");
        assertThat(agent.output()).contains("max_depth");
        assertThat(agent.log().everStarted()).hasSize(2);
    }

    private void assertSameModel(String policy, int victim) {
        AgentProcess agent = standalone(policy);
        run.awaitStep(3);

        kill(agent, victim);
        run.awaitTogether(1, 2, agent);

        assertEndedWell(2, agent);
        Boosted boosted = run.boosted().get(0);
        assertThat(boosted.roundsSeen()).isGreaterThan(1);
        assertThat(boosted).isEqualTo(undisturbed.withRoundsSeen(boosted.roundsSeen()));
    }

    /** A node that knows which part it will have; with an uncertain number of others. */
    private AgentProcess node(int index) {
        List<String> program = new ArrayList<>(run.boosting(ROUNDS, TWO_PARTS));
        program.addAll(List.of("--node-index", Integer.toString(index)));
        return run.agent(
                run.onEtcd(
                        "--nnodes", "1:2", "--nproc-per-node", "1", "--restart-policy", "soft", "--runtime", "xgboost"),
                program);
    }

    private AgentProcess standalone(String policy) {
        return run.agent(options(policy), run.boosting(ROUNDS, TWO_PARTS));
    }

    private static List<String> options(String policy) {
        return List.of("--standalone", "--nproc-per-node", "2", "--restart-policy", policy, "--runtime", "xgboost");
    }

    private static void kill(AgentProcess agent, int slot) {
        AgentLog.Slot victim = agent.log().running().get(slot);
        agent.worker(victim.pid()).destroyForcibly();
    }

    /** All workers have one model, and nothing was kept from it. */
    private void assertEndedWell(int workers, AgentProcess... agents) {
        run.hurryUp();
        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        }
        assertThat(run.models())
                .hasSize(workers)
                .containsOnly(run.boosted().get(0).model());
        assertThat(run.boosted()).singleElement().extracting(Boosted::rounds).isEqualTo(ROUNDS);
    }
}
