/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases that are in doubt for a moment and live on: how long the run stands still for it. */
@Tag("once")
final class DoubtSimTest {
    private static final int NODES = 3;
    private static final Duration STEP = Duration.ofMillis(1);
    private static final Duration WHILE = Duration.ofSeconds(12);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedStore store = new SimulatedStore(time, new Random(3));

    /** Renewals are 500 ms apart, and the doubt begins 2.7 s after the last one. */
    @ParameterizedTest
    @CsvSource({"soft-no-replace, 0", "soft-no-replace, 2", "soft-replace, 0", "soft-replace, 2"})
    void lease_ofOneNodeIsInDoubt_allWorkAgainAtOnceInOneNewRound(String policy, int which) {
        SimulatedCluster cluster = formed(policy);
        SimulatedNode node = cluster.nodes.get(which);
        cutUntilFenced(node);

        long fencedNanos = time.nowNanos();
        node.store.mend();
        long workingNanos = fencedNanos;
        long endNanos = fencedNanos + WHILE.toNanos();
        while (time.nowNanos() < endNanos) {
            runFor(STEP);
            if (!allWork(cluster)) {
                workingNanos = time.nowNanos();
            }
        }

        assertThat(Duration.ofNanos(workingNanos - fencedNanos)).isLessThan(Duration.ofMillis(1500));
        assertThat(round(cluster).number()).isEqualTo(2);
        assertThat(round(cluster).world()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft-no-replace", "soft-replace"})
    void lease_ofAllNodesIsInDoubt_theRoundGoesOn(String policy) {
        SimulatedCluster cluster = formed(policy);
        store.goDown(true);
        runFor(Duration.ofSeconds(5));
        assertThat(time.trace())
                .filteredOn(line -> line.contains("node.fenced"))
                .hasSize(NODES);

        store.comeBack(true);
        runFor(WHILE);

        assertThat(allWork(cluster)).isTrue();
        assertThat(round(cluster).number()).isEqualTo(1);
    }

    private void cutUntilFenced(SimulatedNode node) {
        node.store.cut(true, true);
        while (time.trace().stream().noneMatch(line -> line.contains("node.fenced"))) {
            runFor(STEP);
        }
    }

    private static boolean allWork(SimulatedCluster cluster) {
        return cluster.nodes.stream()
                        .flatMap(node -> node.living().stream())
                        .filter(cluster.mesh::works)
                        .count()
                == NODES;
    }

    private SimulatedCluster formed(String policy) {
        RestartPolicyStrategy strategy = RestartPolicies.byName(policy);
        SimulatedCluster cluster = new SimulatedCluster(
                time, new Random(3), store, RunSimulation.config(strategy, NODES, NODES, 3), strategy, 3);
        for (int i = 0; i < NODES; i++) {
            cluster.join(1);
        }
        runFor(WHILE);
        assertThat(allWork(cluster)).isTrue();
        return cluster;
    }

    private static Round round(SimulatedCluster cluster) {
        return Objects.requireNonNull(cluster.invariants.newest());
    }

    private void runFor(Duration length) {
        boolean[] over = {false};
        long untilNanos = time.nowNanos() + length.toNanos();
        time.after(length, () -> over[0] = true);
        while (!over[0] && time.step(untilNanos)) {
            // Until that time has come.
        }
    }
}
