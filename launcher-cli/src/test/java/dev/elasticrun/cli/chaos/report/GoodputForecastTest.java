/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class GoodputForecastTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void of_oneFaultAnHour_isTheUsefulShare() {
        assertThat(GoodputForecast.of(new GoodputForecast.Case(HOUR, 1), 36)).isEqualTo(1 / 1.01, within(1e-12));
    }

    @Test
    void of_moreNodes_failMoreOften() {
        assertThat(GoodputForecast.of(new GoodputForecast.Case(HOUR, 100), 36)).isEqualTo(0.5, within(1e-12));
    }

    @Test
    void of_faultsThatCostNothing_isAll() {
        assertThat(GoodputForecast.of(new GoodputForecast.Case(HOUR, 100), 0)).isEqualTo(1);
    }
}
