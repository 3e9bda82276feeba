/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.TestRun;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Survivors that wait for a node that is gone, paused, with all that they have loaded. */
@Tag("slow")
@Timeout(240)
final class ReplacementWaitE2E {
    private static final int WORKERS = Recoveries.WORKERS;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void train_workerThenNodeGoneAndBack_costsOneRoundEach() {
        Recoveries patient = new Recoveries(run, "soft-no-replace", "1:2", "--replacement-wait", "60s");
        AgentProcess steady = patient.start();
        AgentProcess other = patient.start();
        long round = run.awaitTogether(2 * WORKERS, steady, other);
        run.awaitStep(20);

        Recoveries.killWorker(other);
        long second = run.awaitTogether(round, 2 * WORKERS, steady, other);
        Recoveries.killNode(other);
        AgentProcess late = patient.start();
        long third = run.awaitTogether(second, 2 * WORKERS, steady, late);

        assertThat(second).isEqualTo(round + 1);
        assertThat(third).isEqualTo(round + 2);
        patient.assertEndedWell(steady, late);
        patient.assertGoesOn(0);
        assertThat(steady.log().everStarted()).hasSize(WORKERS);
        assertThat(steady.log().all("work.published"))
                .extracting(event -> event.number("world_size"))
                .containsExactly(4L, 4L, 4L);
    }

    @Test
    void train_nodeNeverReturns_survivorsGoOnAfterTheWait() {
        Duration wait = Duration.ofSeconds(3);
        Recoveries patient = new Recoveries(run, "soft-replace", "1:2", "--replacement-wait", wait.toSeconds() + "s");
        AgentProcess steady = patient.start();
        AgentProcess dying = patient.start();
        long round = run.awaitTogether(2 * WORKERS, steady, dying);
        run.awaitStep(20);

        Recoveries.killNode(dying);
        long alone = run.awaitTogether(round, WORKERS, steady);

        assertThat(alone).isEqualTo(round + 1);
        LoggedEvent missed = steady.log().all("round.decided").stream()
                .filter(event -> event.fields().path("suspended").asBoolean())
                .findFirst()
                .orElseThrow();
        LoggedEvent opened = steady.log().all("work.published").get(1);
        assertThat(opened.nanos() - missed.nanos()).isGreaterThan(wait.toNanos() * 9 / 10);
        patient.assertEndedWell(steady);
        patient.assertGoesOn(0);
        assertThat(steady.log().everStarted()).hasSize(WORKERS);
    }
}
