/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.TestRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A worker that stands still acknowledges no PAUSE: it counts as failed, and the run goes on. */
@Tag("slow")
@Timeout(240)
final class PauseEscalationE2E {
    private static final String[] IMPATIENT = {"--pause-timeout", "2s", "--shutdown-timeout", "1s"};

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void soft_stoppedWorker_itsNodeStartsAgain() {
        Recoveries soft = new Recoveries(run, "soft", "1:3", IMPATIENT);
        AgentProcess steady = soft.start();
        AgentProcess stuck = soft.start();
        AgentProcess stumbling = soft.start();
        long round = run.awaitTogether(3 * Recoveries.WORKERS, steady, stuck, stumbling);
        run.awaitStep(20);

        stop(stuck, 0);
        Recoveries.killWorker(stumbling);
        // Round by round: without the one, without the other, and with both again.
        run.awaitTogether(round + 1, 3 * Recoveries.WORKERS, steady, stuck, stumbling);

        assertEscalated(stuck);
        soft.assertEndedWell(steady, stuck, stumbling);
        assertThat(steady.log().everStarted()).hasSize(Recoveries.WORKERS);
    }

    @Test
    void softReplace_stoppedWorker_isReplacedAlone() {
        Recoveries replace = new Recoveries(run, "soft-replace", "2:2", IMPATIENT);
        AgentProcess stuck = replace.start();
        AgentProcess stumbling = replace.start();
        long round = run.awaitTogether(2 * Recoveries.WORKERS, stuck, stumbling);
        run.awaitStep(20);

        stop(stuck, 0);
        Recoveries.killWorker(stumbling);
        long next = run.awaitTogether(round, 2 * Recoveries.WORKERS, stuck, stumbling);

        assertEscalated(stuck);
        // A second round if the one was replaced before the other's time was up.
        assertThat(next).isBetween(round + 1, round + 2);
        replace.assertEndedWell(stuck, stumbling);
        assertThat(stuck.log().everStarted()).hasSize(Recoveries.WORKERS + 1);
        assertThat(stumbling.log().everStarted()).hasSize(Recoveries.WORKERS + 1);
    }

    private static void stop(AgentProcess agent, int slot) {
        long pid = agent.log().running().get(slot).pid();
        AgentProcess.send("STOP", agent.worker(pid));
    }

    private static void assertEscalated(AgentProcess agent) {
        assertThat(agent.log().all("pause.expired")).isNotEmpty();
    }
}
