/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class NetFaultsTest {
    @Test
    void of_loss_isInTenthsOfAPercent() {
        assertThat(NetFaults.of("loss=0.1%").lossPerMille()).isEqualTo(1);
        assertThat(NetFaults.of("loss=99.9%").lossPerMille()).isEqualTo(999);
        assertThat(NetFaults.of("loss=7%").lossPercent()).isEqualTo(7);
    }

    @Test
    void of_oneKind_leavesTheOthersOut() {
        NetFaults faults = NetFaults.of("partition=2s");

        assertThat(faults.hasPartitions()).isTrue();
        assertThat(faults.delay()).isZero();
        assertThat(faults.lossPerMille()).isZero();
        assertThat(NetFaults.of("delay=5ms").hasPartitions()).isFalse();
    }

    @Test
    void text_namesWhatIsDone() {
        assertThat(new NetFaults(5, Duration.ofMillis(20), Duration.ofSeconds(2)).text())
                .isEqualTo("loss of 0.5% of the packets that arrive at a host, delay of 20ms of each packet that leaves"
                        + " a host, partitions of 2s");
    }
}
