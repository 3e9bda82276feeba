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

/** The node of the coordinator dies or falls silent, alone or with another one. No healthy worker is started again. */
@Tag("once")
@Tag("alone")
@Timeout(120)
final class CoordinatorLossE2E {
    @RegisterExtension
    static final NetworkLab LAB = new NetworkLab(4);

    @RegisterExtension
    final TestRun run = new TestRun(LAB);

    @Test
    void coordinator_killed_anotherSealsBeforeItsLeaseEnds() {
        LabCluster cluster = LabCluster.start(run, LAB, 3, TestRun.ENOUGH, "--verbose");
        Member coordinator = cluster.coordinator();
        List<Member> others = cluster.others();
        cluster.awaitLinks();

        long killed = System.nanoTime();
        Recoveries.killNode(coordinator.agent());
        long alone = cluster.await(1, others);

        assertThat(alone).as("round without it").isEqualTo(2);
        assertThat(cluster.sealedAfter(killed, alone)).isLessThan(LabCluster.LEASE);
        cluster.assertEndsWell(2, others);
    }

    @Test
    void coordinator_unpluggedAndPluggedIn_costsOneRoundEach() {
        LabCluster cluster = LabCluster.start(run, LAB, 3, TestRun.ENOUGH);
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

    /** {@link DetectionE2E} has two others. */
    @Test
    void nodes_coordinatorAndAnotherKilledAtOnce_othersGoOn() {
        LabCluster cluster = LabCluster.start(run, LAB, 4, TestRun.ENOUGH, "--verbose");
        Member first = cluster.coordinator();
        Member second = cluster.others().get(1);
        List<Member> survivors = cluster.without(first, second);
        cluster.awaitLinks();

        long killed = System.nanoTime();
        Recoveries.killNode(first.agent());
        Recoveries.killNode(second.agent());
        long alone = cluster.await(1, survivors);

        assertThat(alone).as("round without both").isLessThanOrEqualTo(3);
        assertThat(cluster.sealedAfter(killed, alone)).isLessThan(LabCluster.LEASE);
        cluster.assertEndsWell((int) alone, survivors);
    }
}
