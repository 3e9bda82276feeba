/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.TestRun;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Under {@code soft-elastic} a worker that dies leaves alone, and a fresh one joins when it is ready. */
@Timeout(180)
@Tag("once")
final class ElasticWorkersE2E {
    private static final int WORKERS = Recoveries.WORKERS;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void train_oneWorkerThenAllOfANodeKilled_allOthersContinue() {
        Recoveries elastic = new Recoveries(run, "soft-elastic", "1:2");
        AgentProcess steady = elastic.start();
        AgentProcess stumbling = elastic.start();
        long round = run.awaitTogether(2 * WORKERS, steady, stumbling);
        run.awaitStep(20);
        List<Long> before = Recoveries.pids(stumbling);

        stumbling.worker(before.get(0)).destroyForcibly();
        // Without it, then with a fresh one.
        round = run.awaitTogether(round + 1, 2 * WORKERS, steady, stumbling);

        List<Long> after = Recoveries.pids(stumbling);
        assertThat(after.get(1)).as("neighbour").isEqualTo(before.get(1));
        assertThat(after.get(0)).as("fresh worker").isNotEqualTo(before.get(0));
        assertThat(sizes(steady)).containsExactly(4L, 3L, 4L);
        assertThat(sizes(stumbling)).containsExactly(4L, 3L, 4L);

        after.forEach(pid -> stumbling.worker(pid).destroyForcibly());
        run.awaitTogether(round + 1, 2 * WORKERS, steady, stumbling);

        elastic.assertEndedWell(steady, stumbling);
        elastic.assertGoesOn(0);
        assertThat(sizes(steady)).startsWith(4L, 3L, 4L).endsWith(4L).contains(2L);
        assertThat(steady.log().everStarted()).hasSize(WORKERS);
        assertThat(stumbling.log().everStarted()).hasSize(WORKERS + 3);
    }

    @Test
    void train_workerKilledWhereASpareWaits_theWorldKeepsItsSize() {
        assertSpareTakesTheRank(new Recoveries(run, "soft-elastic", "1:1", "--spare-workers", "1"));
    }

    @Test
    void train_workerReplacedByASpare_theWorldKeepsItsSize() {
        assertSpareTakesTheRank(new Recoveries(run, "soft-replace", "1:1", "--spare-workers", "1"));
    }

    private void assertSpareTakesTheRank(Recoveries elastic) {
        AgentProcess agent = elastic.start();
        agent.await("a spare", TestRun.LIMIT, log -> log.all("worker.ready").size() == WORKERS + 1);
        run.awaitStep(20);
        AgentLog.Slot victim = agent.log().running().stream()
                .filter(slot -> slot.resumedRound() > 0)
                .findFirst()
                .orElseThrow();

        agent.worker(victim.pid()).destroyForcibly();
        agent.await(
                "a fresh spare", TestRun.LIMIT, log -> log.all("worker.ready").size() == WORKERS + 2);

        elastic.assertEndedWell(agent);
        elastic.assertGoesOn(0);
        assertThat(sizes(agent)).containsExactly(2L, 2L);
        assertThat(agent.log().everStarted()).hasSize(WORKERS + 2);
    }

    private static List<Long> sizes(AgentProcess agent) {
        return agent.log().all("work.published").stream()
                .map((LoggedEvent event) -> event.number("world_size"))
                .toList();
    }
}
