/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent that is frozen for longer than its lease: its workers stand still, the others go on, then it comes back. */
@Tag("slow")
@Timeout(180)
final class FenceE2E {
    private static final int WORKERS = 2;
    private static final Duration LEASE = Duration.ofSeconds(5);
    /** On top of the lease: the store's own clock of leases ticks twice a second, and the machine is shared. */
    private static final Duration MARGIN = Duration.ofSeconds(3);

    @RegisterExtension
    final TestRun run = new TestRun();

    @ParameterizedTest(name = "coordinator: {0}")
    @ValueSource(booleans = {false, true})
    void agent_frozenForTwoLeases_standsStillAndComesBackInOneRound(boolean freezeCoordinator) {
        AgentProcess first = start();
        AgentProcess second = start();
        long round = run.awaitTogether(2 * WORKERS, first, second);
        run.awaitStep(20);
        AgentProcess coordinator = Recoveries.coordinator(first, second);
        AgentProcess other = coordinator == first ? second : first;
        AgentProcess frozen = freezeCoordinator ? coordinator : other;
        AgentProcess survivor = freezeCoordinator ? other : coordinator;

        long stopped = System.nanoTime();
        frozen.signal("STOP");
        long alone = run.awaitTogether(round, WORKERS, survivor);

        // The survivors' world begins when the lease has ended, by when the old world stands still.
        LoggedEvent sealed = survivor.awaitEvent(stopped, "round.sealed", TestRun.LIMIT);
        assertThat(Duration.ofNanos(sealed.nanos() - stopped)).isLessThan(LEASE.plus(MARGIN));
        List<String> before = frozen.workerOutputs();
        int reached = run.lastStep();
        Patience.pause(LEASE);
        assertThat(frozen.workerOutputs())
                .as("progress of the frozen node's workers")
                .isEqualTo(before);
        assertThat(run.lastStep()).as("progress of the survivors").isGreaterThan(reached);

        frozen.signal("CONT");
        long again = run.awaitTogether(alone, 2 * WORKERS, first, second);
        run.hurryUp();

        assertThat(alone).as("round without the frozen node").isEqualTo(round + 1);
        assertThat(again).as("round with it again").isEqualTo(round + 2);
        for (AgentProcess agent : List.of(first, second)) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            assertThat(agent.log().everStarted()).as("workers ever started").hasSize(WORKERS);
        }
        assertThat(survivor.log().all("work.published"))
                .extracting(event -> event.number("world_size"))
                .containsExactly(4L, 2L, 4L);
        assertThat(run.trained()).singleElement().satisfies(trained -> {
            assertThat(trained.accuracy()).isGreaterThanOrEqualTo(0.95);
            assertThat(trained.roundsSeen()).isEqualTo(3);
        });
    }

    private AgentProcess start() {
        return run.agent(
                run.onEtcd(
                        "--nnodes",
                        "1:2",
                        "--nproc-per-node",
                        Integer.toString(WORKERS),
                        "--restart-policy",
                        "soft",
                        "--lease-ttl",
                        LEASE.toSeconds() + "s",
                        "--last-call-timeout",
                        "60s"),
                run.training());
    }
}
