/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.RestartPolicies;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedStoreClient;
import dev.elasticrun.rendezvous.sim.SimulatedTime;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of docs/torchelastic-cases.md that need whole agents, a store and time, but no fault by chance. */
@Tag("once")
final class TorchelasticSimCasesTest {
    private static final long SEED = 7;
    private static final Duration FORMED = Duration.ofSeconds(10);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedStore store = new SimulatedStore(time, new Random(SEED));

    static List<String> policies() {
        return List.of("hard", "soft-no-replace", "soft-replace");
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r15_nodeComesWhileAFailedRunEnds_endsWithItsCode(String policy) {
        SimulatedCluster cluster = failed(policy);
        SimulatedNode last =
                cluster.nodes.stream().filter(SimulatedNode::alive).findFirst().orElseThrow();
        last.freeze(Duration.ofSeconds(2), false);

        SimulatedNode late = cluster.join(1);
        time.pass(Duration.ofSeconds(1));
        assertThat(Objects.requireNonNull(late.exit()).code()).isEqualTo(1);
        assertThat(late.living()).isEmpty();

        time.pass(FORMED);
        assertThat(Objects.requireNonNull(last.exit()).code()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void g10_nodeComesWhenAFailedRunIsOver_startsTheRunAnew(String policy) {
        SimulatedCluster cluster = failed(policy);
        time.pass(FORMED);
        assertThat(cluster.nodes).noneMatch(SimulatedNode::alive);

        SimulatedNode again = cluster.join(1);
        time.pass(FORMED);

        assertThat(again.status().workingRound()).isEqualTo(1);
        assertThat(round(cluster).budgetUsed()).isZero();
    }

    /** A run of one node and without restarts, whose worker has failed and whose verdict was just written. */
    private SimulatedCluster failed(String policy) {
        SimulatedCluster cluster = formed(policy, 1, 0);
        cluster.nodes.get(0).current().get(0).fail(7);
        while (cluster.invariants.verdict() == null) {
            time.step(Long.MAX_VALUE);
        }
        return cluster;
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r22_leavesTwiceWhileTheStoreIsAway_endsOnceAndInTime(String policy) {
        SimulatedCluster cluster = formed(policy, 2);
        SimulatedNode leaving = cluster.nodes.get(0);
        store.goDown(true);

        leaving.agent().drain();
        leaving.agent().drain();
        time.pass(Duration.ofSeconds(15));

        assertThat(Objects.requireNonNull(leaving.exit()).code()).isEqualTo(143);
        assertThat(leaving.living()).isEmpty();
        assertThat(trace("n0: EXIT")).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r23_storeIsAwayForLessThanTheLease_nobodyNotices(String policy) {
        SimulatedCluster cluster = formed(policy, 2);

        store.goDown(true);
        time.pass(Duration.ofSeconds(2));
        store.comeBack(false);
        time.pass(FORMED);

        assertThat(round(cluster).number()).isEqualTo(1);
        assertThat(trace("node.fenced")).isEmpty();
        assertThat(cluster.nodes).allMatch(node -> node.status().workingRound() == 1);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r24_loopDoesNotRun_nothingElseRenewsTheLease(String policy) {
        SimulatedCluster cluster = formed(policy, 2);
        SimulatedNode frozen = cluster.nodes.get(1);

        frozen.freeze(Duration.ofSeconds(10), false);
        time.pass(Duration.ofSeconds(5));

        assertThat(frozen.alive()).isTrue();
        assertThat(store.get(cluster.prefix() + "nodes/" + frozen.nodeId)).isNull();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r27_twoStartTogether_haveRanksOfOneWorldAndOneMaster(String policy) {
        SimulatedCluster cluster = formed(policy, 2);

        List<WorkerInfo> infos = cluster.nodes.stream()
                .flatMap(node -> node.current().stream())
                .map(worker -> Objects.requireNonNull(
                        Objects.requireNonNull(worker.event()).workerInfo()))
                .toList();

        assertThat(infos).extracting(WorkerInfo::rank).containsExactlyInAnyOrder(0, 1);
        assertThat(infos).extracting(WorkerInfo::worldSize).containsOnly(2);
        assertThat(infos)
                .extracting(WorkerInfo::masterPort)
                .containsOnly(round(cluster).master().port());
        assertThat(store.names()).allMatch(name -> name.startsWith(cluster.prefix()));
    }

    @Test
    void g9_manyJoinAtOnce_eachCostsAsManyWritesAsOneOfAFew() {
        long few = writesPerNode(16);
        long many = new TorchelasticSimCasesTest().writesPerNode(256);

        assertThat(many).isBetween(1L, few + 1);
    }

    /** What the first round of so many nodes costs, rounded up. */
    private long writesPerNode(int nodes) {
        Writes writes = new Writes();
        store.observe(writes);
        SimulatedCluster cluster = formed("soft-no-replace", nodes);
        assertThat(cluster.nodes).allMatch(node -> node.status().workingRound() == 1);
        return (writes.count + nodes - 1) / nodes;
    }

    private static final class Writes implements SimulatedStore.Observer {
        private long count;

        @Override
        public void onWritten(KeyValue entry, SimulatedStoreClient.Origin writer) {
            count++;
        }

        @Override
        public void onDeleted(KeyValue last) {}
    }

    /** A run of so many nodes with one worker each, all at work in the first round. */
    private SimulatedCluster formed(String policy, int nodes) {
        return formed(policy, nodes, 3);
    }

    private SimulatedCluster formed(String policy, int nodes, int budget) {
        RestartPolicyStrategy strategy = RestartPolicies.byName(policy);
        SimulatedCluster cluster = new SimulatedCluster(
                time, new Random(SEED), store, RunSimulation.config(strategy, nodes, nodes, budget), strategy, SEED);
        for (int i = 0; i < nodes; i++) {
            cluster.join(1);
        }
        time.pass(FORMED);
        assertThat(round(cluster).participants())
                .as("members of the first round")
                .hasSize(nodes);
        return cluster;
    }

    private static Round round(SimulatedCluster cluster) {
        return Objects.requireNonNull(cluster.invariants.newest());
    }

    private List<String> trace(String part) {
        return time.trace().stream().filter(line -> line.contains(part)).toList();
    }
}
