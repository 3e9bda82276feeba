/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.e2e.LabCluster.Member;
import dev.elasticrun.samples.testing.NetworkLab;
import dev.elasticrun.samples.testing.TestRun;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The node of the coordinator dies or falls silent, alone or with another one. No healthy worker is started again. */
@Tag("once")
@Timeout(120)
final class CoordinatorLossE2E {
    @RegisterExtension
    static final NetworkLab LAB = new NetworkLab(4);

    @RegisterExtension
    final TestRun run = new TestRun(LAB);

    @Test
    void coordinator_killed_anotherSealsBeforeItsLeaseEnds() {
        LabCluster cluster = LabCluster.start(run, LAB, 3, 200);
        Member coordinator = cluster.coordinator();
        List<Member> others = cluster.others();

        long killed = System.nanoTime();
        Recoveries.killNode(coordinator.agent());
        long alone = cluster.await(1, others);

        assertThat(alone).as("round without it").isEqualTo(2);
        assertThat(cluster.sealedAfter(killed, alone)).isLessThan(LabCluster.LEASE);
        cluster.assertEndsWell(2, others);
    }

    @Test
    void coordinator_unpluggedAndPluggedIn_costsOneRoundEach() {
        LabCluster cluster = LabCluster.start(run, LAB, 3, 400);
        Member coordinator = cluster.coordinator();

        long unplugged = System.nanoTime();
        coordinator.node().unplug();
        long alone = cluster.await(1, cluster.others());

        assertThat(alone).as("round without it").isEqualTo(2);
        assertThat(cluster.sealedAfter(unplugged, alone)).isLessThan(LabCluster.LEASE.plus(LabCluster.MARGIN));

        coordinator.node().plug();
        long again = cluster.awaitAll(alone);

        assertThat(again).as("round with it again").isEqualTo(3);
        cluster.assertEndsWell(3, cluster.members());
    }

    @ParameterizedTest(name = "one of them the coordinator: {0}")
    @ValueSource(booleans = {false, true})
    void nodes_twoKilledAtOnce_othersGoOn(boolean withCoordinator) {
        LabCluster cluster = LabCluster.start(run, LAB, 4, 250);
        List<Member> others = cluster.others();
        Member first = withCoordinator ? cluster.coordinator() : others.get(0);
        Member second = others.get(1);
        List<Member> survivors = cluster.without(first, second);
        // The second one's death is proved by its neighbours: a second after the seal they hold links along the ring.
        run.awaitStep(60);

        long killed = System.nanoTime();
        Recoveries.killNode(first.agent());
        Recoveries.killNode(second.agent());
        long alone = cluster.await(1, survivors);

        assertThat(alone).as("round without both").isLessThanOrEqualTo(3);
        assertThat(cluster.sealedAfter(killed, alone)).isLessThan(LabCluster.LEASE);
        cluster.assertEndsWell((int) alone, survivors);
    }
}
