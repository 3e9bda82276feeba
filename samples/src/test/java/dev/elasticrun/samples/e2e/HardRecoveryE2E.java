/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.TestRun;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The same faults as under {@code soft}; all workers start again and go on from the checkpoints of the nodes. */
@Timeout(240)
final class HardRecoveryE2E {
    /** What is committed when all workers are stopped may not be in the file yet. */
    private static final int DONE_TWICE = 20;

    private static final int WORKERS = Recoveries.WORKERS;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("once")
    void train_workerThenNodeKilledThenNodeJoins_allStartAgainFromTheCheckpoint() {
        Recoveries hard = new Recoveries(run, "hard");
        AgentProcess steady = hard.start();
        AgentProcess stumbling = hard.start();
        AgentProcess dying = hard.start();
        long round = run.awaitTogether(3 * WORKERS, steady, stumbling, dying);
        run.awaitStep(20);

        Recoveries.killWorker(stumbling);
        round = run.awaitTogether(round, 3 * WORKERS, steady, stumbling, dying);

        Recoveries.killNode(dying);
        round = run.awaitTogether(round, 2 * WORKERS, steady, stumbling);

        AgentProcess late = hard.start();
        run.awaitTogether(round, 3 * WORKERS, steady, stumbling, late);

        hard.assertEndedWell(steady, stumbling, late);
        hard.assertGoesOn(DONE_TWICE);
        assertThat(steady.log().all("work.published"))
                .extracting(event -> event.number("world_size"))
                .containsExactly(6L, 6L, 4L, 6L);
        assertThat(steady.log().everStarted()).doesNotHaveDuplicates().hasSize(4 * WORKERS);
    }

    @Tag("slow")
    @Test
    void train_coordinatorKilled_othersStartAgainFromTheCheckpoint() {
        Recoveries hard = new Recoveries(run, "hard");
        AgentProcess[] agents = {hard.start(), hard.start(), hard.start()};
        long round = run.awaitTogether(3 * WORKERS, agents);
        run.awaitStep(20);
        AgentProcess coordinator = Recoveries.coordinator(agents);
        AgentProcess[] others =
                List.of(agents).stream().filter(agent -> agent != coordinator).toArray(AgentProcess[]::new);

        coordinator.jvm().destroyForcibly();

        run.awaitTogether(round, 2 * WORKERS, others);
        hard.assertEndedWell(others);
        hard.assertGoesOn(DONE_TWICE);
    }
}
