/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AgentFlagsTest {

    @Test
    void value_ofAFlag_isTheLastOne_whateverItsForm() {
        AgentFlags flags = new AgentFlags(List.of("--run-id", "a", "--rdzv_id=b", "--tls", "--lease-ttl"));

        assertThat(flags.value("--run-id", "--rdzv-id")).contains("b");
        assertThat(flags.value("--run-id")).contains("a");
        assertThat(flags.value("--lease-ttl")).contains("");
        assertThat(flags.has("--nnodes")).isFalse();
    }

    @Test
    void time_inAnyUnit_isRead() {
        assertThat(TimeText.parse("1500ms")).contains(Duration.ofMillis(1500));
        assertThat(TimeText.parse("90")).contains(Duration.ofSeconds(90));
        assertThat(TimeText.parse("2m")).contains(Duration.ofMinutes(2));
        assertThat(TimeText.parse("1h")).contains(Duration.ofHours(1));
        assertThat(TimeText.parse("1d")).isEmpty();
        assertThat(TimeText.seconds(Duration.ofMillis(1001))).isEqualTo(2);
        assertThat(TimeText.seconds(Duration.ofSeconds(2))).isEqualTo(2);
    }
}
