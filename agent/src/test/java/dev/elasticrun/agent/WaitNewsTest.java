/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.WaitView.Kind;
import dev.elasticrun.agent.WaitView.Wait;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class WaitNewsTest {
    private static final Optional<Wait> FOR_B = Optional.of(new Wait(Kind.ROUND, "b"));
    private final WaitNews news = new WaitNews();

    @Test
    void of_longWait_isReportedLessAndLessOften() {
        List<Long> reported = new ArrayList<>();
        for (long second = 0; second <= 300; second++) {
            long now = second;
            at(FOR_B, second).ifPresent(line -> reported.add(now));
        }
        assertThat(reported).containsExactly(5L, 15L, 35L, 75L, 135L, 195L, 255L);
    }

    @Test
    void of_line_reportsForWhomAndHowLong() {
        at(FOR_B, 100);
        assertThat(at(Optional.of(new Wait(Kind.ROUND, "c")), 107))
                .hasValueSatisfying(line -> assertThat(line).contains(" 7 s ", " c"));
    }

    @Test
    void of_anotherKind_beginsAnew() {
        at(FOR_B, 0);
        assertThat(at(Optional.of(new Wait(Kind.PAUSE, "worker 1")), 6)).isEmpty();
        assertThat(at(Optional.of(new Wait(Kind.PAUSE, "worker 1")), 10)).isEmpty();
        assertThat(at(Optional.of(new Wait(Kind.PAUSE, "worker 1")), 11))
                .hasValueSatisfying(line -> assertThat(line).contains(" 5 s ", "worker 1"));
    }

    @Test
    void of_noWait_reportsNothing() {
        assertThat(at(Optional.empty(), 0)).isEmpty();
        assertThat(at(Optional.empty(), 1000)).isEmpty();
    }

    private Optional<String> at(Optional<Wait> wait, long seconds) {
        return news.of(wait, Long.MAX_VALUE - TimeUnit.MINUTES.toNanos(1) + TimeUnit.SECONDS.toNanos(seconds));
    }
}
