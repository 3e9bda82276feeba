/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The work ends while a node comes, or while a failed worker comes back: nobody waits for workers that are done. */
@Tag("once")
final class EndsSimTest {
    private static final Duration FORMED = Duration.ofSeconds(10);
    /** A start, the last steps of the newcomer alone, and the rounds between, which no time-out may be in. */
    private static final Duration SHORT = SimulatedCluster.PEER_TIMEOUT.minusMillis(500);

    private static final int LONGEST_START_MILLIS = 2000;
    private static final int STEP_MILLIS = 10;

    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft-replace", "soft-replace with spares", "soft-elastic"})
    void newcomer_comesAsTheOthersEnd_nobodyWaitsForAPeerTimeout(String policy) {
        for (int before = 0; before < LONGEST_START_MILLIS; before += STEP_MILLIS) {
            Run run = new Run(policy, 1, 3, before);
            run.cluster.join(2);
            run.cluster.join(2);
            run.time.pass(FORMED);
            run.cluster.join(2);
            run.time.pass(Duration.ofMillis(before));
            run.assertEndsSoon(policy + ", " + before + " ms after the newcomer's start");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft-replace", "soft-replace with spares", "soft-elastic"})
    void worker_failsAsTheOthersEnd_nobodyWaitsForAPeerTimeout(String policy) {
        for (int before = 0; before < LONGEST_START_MILLIS; before += STEP_MILLIS) {
            Run run = new Run(policy, 1, 3, before);
            for (int node = 0; node < 3; node++) {
                run.cluster.join(1);
            }
            run.time.pass(FORMED);
            run.cluster.nodes.get(1).living().get(0).fail(1);
            run.time.pass(Duration.ofMillis(before));
            run.assertEndsSoon(policy + ", " + before + " ms after the failure");
        }
    }

    /** Its end comes up to 300 ms after its last operation. */
    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft-replace", "soft-replace with spares", "soft-elastic"})
    void worker_failsWhenItIsDone_asItsNeighbourEnds_nobodyWaitsForAPeerTimeout(String policy) {
        for (int seed = 0; seed < 10; seed++) {
            for (int after = STEP_MILLIS; after < 300; after += STEP_MILLIS) {
                Run run = new Run(policy, 1, 2, seed);
                run.cluster.join(2);
                run.cluster.join(2);
                run.time.pass(FORMED);
                run.cluster.mesh.finish();
                run.time.pass(Duration.ofMillis(after));
                run.cluster.nodes.get(1).living().stream().findFirst().ifPresent(worker -> worker.fail(1));
                run.assertEndsSoon(policy + ", seed " + seed + ", " + after + " ms after the last operation");
            }
        }
    }

    private static final class Run {
        private final SimulatedTime time = new SimulatedTime();
        private final SimulatedCluster cluster;

        private Run(String policy, int min, int max, long seed) {
            RestartPolicyStrategy strategy = RunSimulation.policy(policy);
            Random random = RunSimulation.scattered(seed);
            SimulatedStore store = new SimulatedStore(time, random);
            cluster = new SimulatedCluster(
                    time, random, store, RunSimulation.config(strategy, min, max, 9), strategy, seed);
        }

        private void assertEndsSoon(String when) {
            cluster.mesh.finish();
            time.pass(SHORT);
            Verdict verdict = cluster.invariants.verdict();
            assertThat(verdict)
                    .as(() -> when + ":\n" + String.join("\n", time.trace()))
                    .isNotNull();
            assertThat(Objects.requireNonNull(verdict).succeeded()).as(when).isTrue();
        }
    }
}
