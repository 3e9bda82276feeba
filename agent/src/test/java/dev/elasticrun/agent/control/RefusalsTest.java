/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RefusalsTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<String> told = new ArrayList<>();
    private long nowNanos = Long.MAX_VALUE - SECOND / 2;
    private final Refusals refusals =
            new Refusals(() -> nowNanos, (method, from, count) -> told.add(method + " " + from + " " + count));

    @Test
    void refused_first_isToldAtOnce() {
        refusals.refused("Status", "/127.0.0.1:1");

        assertThat(told).containsExactly("Status /127.0.0.1:1 1");
    }

    @Test
    void refused_oftenInASecond_isCountedAndToldAfterIt() {
        for (int call = 0; call < 5; call++) {
            refusals.refused("Status", "a");
        }
        nowNanos += SECOND;
        refusals.refused("Logs", "b");

        assertThat(told).containsExactly("Status a 1", "Logs b 5");
    }
}
