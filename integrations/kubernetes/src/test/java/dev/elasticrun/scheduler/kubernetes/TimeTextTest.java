/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class TimeTextTest {

    @Test
    void text_inAnyUnit_isRead() {
        assertThat(TimeText.parse("1500ms")).contains(Duration.ofMillis(1500));
        assertThat(TimeText.parse("90")).contains(Duration.ofSeconds(90));
        assertThat(TimeText.parse("2m")).contains(Duration.ofMinutes(2));
        assertThat(TimeText.parse("1h")).contains(Duration.ofHours(1));
        assertThat(TimeText.parse("1d")).isEmpty();
        assertThat(TimeText.seconds(Duration.ofMillis(1001))).isEqualTo(2);
        assertThat(TimeText.seconds(Duration.ofSeconds(2))).isEqualTo(2);
    }
}
