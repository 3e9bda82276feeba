/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.e2e.LabCluster.Member;
import dev.elasticrun.samples.testing.NetworkLab;
import dev.elasticrun.samples.testing.TestRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node's cable is pulled and plugged in again: nobody is notified, only its lease ends. */
@Tag("once")
@Tag("alone")
@Timeout(120)
final class SilentNodeE2E {
    @RegisterExtension
    static final NetworkLab LAB = new NetworkLab(3);

    @RegisterExtension
    final TestRun run = new TestRun(LAB);

    @Test
    void node_unpluggedAndPluggedIn_costsOneRoundEach() {
        LabCluster cluster = LabCluster.start(run, LAB, 3, TestRun.ENOUGH);
        Member silent = cluster.others().get(0);

        long unplugged = System.nanoTime();
        silent.node().unplug();
        long alone = cluster.await(1, cluster.without(silent));

        assertThat(alone).as("round without it").isEqualTo(2);
        assertThat(cluster.sealedAfter(unplugged, alone)).isLessThan(LabCluster.LEASE.plus(LabCluster.MARGIN));

        silent.node().plug();
        long again = cluster.awaitAll(alone);

        assertThat(again).as("round with it again").isEqualTo(3);
        cluster.assertEndsWell(3, cluster.members());
    }
}
