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
            new Refusals(() -> nowNanos, one -> told.add(one.method() + " " + one.from() + " " + one.count()));

    @Test
    void refused_first_isToldAtOnce() {
        refusals.call("Status", "/127.0.0.1:1");

        assertThat(told).containsExactly("Status /127.0.0.1:1 1");
    }

    @Test
    void refused_oftenInASecond_isCountedAndToldAfterIt() {
        for (int call = 0; call < 5; call++) {
            refusals.call("Status", "a");
        }
        nowNanos += SECOND;
        refusals.handshake("store", "b", "what it said is not TLS");

        assertThat(told).containsExactly("Status a 1", "TLS of the store b 5");
    }
}
