/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.TestRun;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers and nodes die, others come, and no healthy worker notices more than a new round. */
@Timeout(240)
final class SoftRecoveryE2E {
    private static final int WORKERS = Recoveries.WORKERS;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("once")
    void train_workerThenNodeKilledThenNodeJoins_healthyWorkersStay() {
        Recoveries soft = new Recoveries(run, "soft");
        AgentProcess steady = soft.start();
        AgentProcess stumbling = soft.start();
        AgentProcess dying = soft.start();
        long round = run.awaitTogether(3 * WORKERS, steady, stumbling, dying);
        run.awaitStep(20);

        Recoveries.killWorker(stumbling);
        // Without the node, then with it again.
        round = run.awaitTogether(round + 1, 3 * WORKERS, steady, stumbling, dying);

        Recoveries.killNode(dying);
        round = run.awaitTogether(round, 2 * WORKERS, steady, stumbling);

        AgentProcess late = soft.start();
        run.awaitTogether(round, 3 * WORKERS, steady, stumbling, late);

        soft.assertEndedWell(steady, stumbling, late);
        soft.assertGoesOn(0);
        assertThat(steady.log().everStarted()).hasSize(WORKERS);
        assertThat(stumbling.log().everStarted()).hasSize(2 * WORKERS);
        assertThat(dying.log().everStarted()).hasSize(WORKERS);
        assertThat(late.log().everStarted()).hasSize(WORKERS);
        assertThat(steady.log().all("work.published"))
                .extracting(event -> event.number("world_size"))
                .containsExactly(6L, 4L, 6L, 4L, 6L);
        assertThat(budget(steady, stumbling)).as("restarts charged").isOne();
    }

    @Tag("slow")
    @Test
    void train_coordinatorKilled_anotherGoesOn() {
        Recoveries soft = new Recoveries(run, "soft");
        AgentProcess[] agents = {soft.start(), soft.start(), soft.start()};
        long round = run.awaitTogether(3 * WORKERS, agents);
        run.awaitStep(20);
        AgentProcess coordinator = Recoveries.coordinator(agents);
        AgentProcess[] others =
                List.of(agents).stream().filter(agent -> agent != coordinator).toArray(AgentProcess[]::new);

        coordinator.jvm().destroyForcibly();

        run.awaitTogether(round, 2 * WORKERS, others);
        soft.assertEndedWell(others);
        soft.assertGoesOn(0);
        for (AgentProcess agent : others) {
            assertThat(agent.log().everStarted()).hasSize(WORKERS);
        }
        assertThat(budget(others)).as("restarts charged").isZero();
    }

    private static long budget(AgentProcess... agents) {
        return List.of(agents).stream()
                .flatMap(agent -> agent.log().all("round.sealed").stream())
                .mapToLong((LoggedEvent event) -> event.number("budget_used"))
                .max()
                .orElse(0);
    }
}
