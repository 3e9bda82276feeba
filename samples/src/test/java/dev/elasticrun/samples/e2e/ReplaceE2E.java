/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.TestRun;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Under {@code soft-replace} a worker that dies is replaced in its place, and nobody else has to start again. */
@Tag("once")
@Timeout(180)
final class ReplaceE2E {
    private static final int WORKERS = Recoveries.WORKERS;

    @RegisterExtension
    final TestRun run = new TestRun();

    @ParameterizedTest(name = "slot {0}")
    @ValueSource(ints = {0, 1})
    void train_workerKilled_onlyItIsReplacedAndTheWorldStays(int slot) {
        Recoveries replace = new Recoveries(run, "soft-replace", "2:2");
        AgentProcess steady = replace.start();
        AgentProcess stumbling = replace.start();
        long round = run.awaitTogether(2 * WORKERS, steady, stumbling);
        run.awaitStep(20);
        List<Long> pidsBefore = Recoveries.pids(stumbling);

        stumbling.worker(pidsBefore.get(slot)).destroyForcibly();
        long next = run.awaitTogether(round, 2 * WORKERS, steady, stumbling);

        assertThat(next).isEqualTo(round + 1);
        List<Long> pidsAfter = Recoveries.pids(stumbling);
        assertThat(pidsAfter.get(1 - slot)).as("neighbour").isEqualTo(pidsBefore.get(1 - slot));
        assertThat(pidsAfter.get(slot)).as("replacement").isNotEqualTo(pidsBefore.get(slot));
        replace.assertEndedWell(steady, stumbling);
        replace.assertGoesOn(0);
        assertThat(steady.log().everStarted()).hasSize(WORKERS);
        assertThat(stumbling.log().everStarted()).hasSize(WORKERS + 1);
        for (AgentProcess agent : List.of(steady, stumbling)) {
            List<LoggedEvent> opened = agent.log().all("work.published");
            assertThat(opened).extracting(event -> event.number("world_size")).containsExactly(4L, 4L);
            assertThat(opened).extracting(event -> event.number("world")).containsOnly(round);
            assertThat(opened)
                    .extracting(event -> event.number("rank"))
                    .containsOnly(opened.get(0).number("rank"));
        }
    }
}
