/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.e2e.LabCluster.Member;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.NetworkLab;
import dev.elasticrun.samples.testing.TestRun;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One direction between an agent and the store is lost, while its workers and all other agents still reach each other. */
@Tag("slow")
@Tag("alone")
@Timeout(120)
final class OneWayLossE2E {
    @RegisterExtension
    static final NetworkLab LAB = new NetworkLab(3);

    @RegisterExtension
    final TestRun run = new TestRun(LAB);

    @ParameterizedTest(name = "from the store: {0}")
    @ValueSource(booleans = {false, true})
    void node_cannotTalkToTheStore_isOutAfterItsLeaseAndComesBack(boolean fromStore) {
        LabCluster cluster = LabCluster.start(run, LAB, 3, TestRun.ENOUGH);
        Member lonely = cluster.others().get(0);

        long lost = System.nanoTime();
        if (fromStore) {
            lonely.node().loseAllFrom(LAB.store());
        } else {
            LAB.store().loseAllFrom(lonely.node());
        }
        long alone = cluster.await(1, cluster.without(lonely));

        assertThat(alone).as("round without it").isEqualTo(2);
        Duration without = cluster.sealedAfter(lost, alone);
        assertThat(without).isLessThan(LabCluster.LEASE.plus(LabCluster.MARGIN));
        LoggedEvent fenced = lonely.agent().awaitEvent(lost, "node.fenced", TestRun.LIMIT);
        assertThat(Duration.ofNanos(fenced.nanos() - lost))
                .as("it fenced itself before the others went on")
                .isLessThan(without);

        LAB.store().heal();
        lonely.node().heal();
        long again = cluster.awaitAll(alone);

        assertThat(again).as("round with it again").isEqualTo(3);
        cluster.assertEndsWell(3, cluster.members());
    }
}
