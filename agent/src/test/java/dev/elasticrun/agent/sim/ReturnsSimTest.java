/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.worker.contract.UpMessage;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who comes back, who does not, and who comes too late: whole agents without faults by chance. */
@Tag("once")
final class ReturnsSimTest {
    private static final Duration FORMED = Duration.ofSeconds(10);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedStore store = new SimulatedStore(time, new Random(7));

    @Test
    void stopRun_beforeTheSecondAgentRegisters_bindsIt() {
        SimulatedCluster cluster = cluster("soft", 2, 2);
        SimulatedNode early = cluster.join(1);
        time.pass(Duration.ofSeconds(3));
        early.living().get(0).send(new UpMessage.StopRun("no data"));
        time.pass(Duration.ofSeconds(5));
        assertThat(exit(early).code()).isEqualTo(1);

        SimulatedNode late = cluster.join(1);
        time.pass(Duration.ofSeconds(5));

        assertThat(exit(late).code()).isEqualTo(1);
        assertThat(exit(late).reason()).contains("no data");
        time.pass(Duration.ofSeconds(30));
        SimulatedNode anew = cluster.join(1);
        time.pass(Duration.ofSeconds(5));
        assertThat(anew.alive()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft-replace", "hard"})
    void excludeNode_aWorkerWantsIt_isOutForTheCoolDownOnly(String policy) {
        SimulatedCluster cluster = cluster(policy, 1, 2);
        cluster.join(1);
        cluster.join(1);
        time.pass(FORMED);
        assertThat(members(cluster)).containsExactlyInAnyOrder("n0", "n1");

        cluster.nodes.get(1).living().get(0).send(new UpMessage.ExcludeNode("bad disk"));
        time.pass(Duration.ofSeconds(7));

        assertThat(members(cluster)).containsExactly("n0");
        assertThat(newest(cluster).budgetUsed()).isZero();
        assertThat(cluster.nodes.get(1).alive()).isTrue();
        time.pass(FORMED);
        assertThat(members(cluster)).containsExactlyInAnyOrder("n0", "n1");
        time.pass(FORMED);
        assertThat(newest(cluster).number()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft", "soft-replace"})
    void storeAway_allLeasesEnd_oneRoundForAllAndNoWorkerStops(String policy) {
        SimulatedCluster cluster = cluster(policy, 1, 4);
        for (int i = 0; i < 4; i++) {
            cluster.join(1);
        }
        time.pass(FORMED);
        long before = cluster.invariants.sealed();

        store.goDown(true);
        time.pass(Duration.ofSeconds(6));
        store.comeBack(false);
        time.pass(FORMED);

        assertThat(members(cluster)).hasSize(4);
        assertThat(cluster.invariants.sealed() - before).isLessThanOrEqualTo(1);
        assertThat(newest(cluster).budgetUsed()).isZero();
        assertThat(cluster.nodes).allMatch(node -> node.status().generation() == 0);
    }

    private SimulatedCluster cluster(String policy, int min, int max) {
        RestartPolicyStrategy strategy = RestartPolicies.byName(policy);
        return new SimulatedCluster(
                time, new Random(7), store, RunSimulation.config(strategy, min, max, 3), strategy, 7);
    }

    private static SimulatedNode.Exit exit(SimulatedNode node) {
        return Objects.requireNonNull(node.exit(), node.nodeId + " has not ended");
    }

    private static Round newest(SimulatedCluster cluster) {
        return Objects.requireNonNull(cluster.invariants.newest());
    }

    private static List<String> members(SimulatedCluster cluster) {
        return newest(cluster).participants().stream().map(Participant::nodeId).toList();
    }
}
