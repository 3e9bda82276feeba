/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.CapturedLog;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class RefusalsTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<String> told = new ArrayList<>();
    private long nowNanos = Long.MAX_VALUE - SECOND / 2;
    private final Refusals refusals =
            new Refusals(() -> nowNanos, one -> told.add(one.method() + " " + one.from() + " " + one.count()));

    @RegisterExtension
    final CapturedLog logged = new CapturedLog(Refusals.class);

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
        refusals.handshake("TLS", "store", "b", "what it said is not TLS");

        assertThat(told).containsExactly("Status a 1", "TLS of the store b 5");
    }

    /** As a node whose certificate has ended calls, for as long as the run goes on. */
    @Test
    void refused_againAndAgainFromOneHostForOneReason_isLoggedOnceAMinuteWithTheNumberSince() {
        for (int second = 0; second <= 120; second++) {
            refusals.handshake("TLS", "control service", "/10.0.0.7:" + (40_000 + second), "its certificate has ended");
            nowNanos += SECOND;
        }

        assertThat(told).hasSize(121);
        String line = "a call (TLS of the control service) from /10.0.0.7:%d was refused: its certificate has ended%s";
        assertThat(logged.messages())
                .containsExactly(
                        line.formatted(40_000, ""),
                        line.formatted(40_060, " (60 such calls since the last message)"),
                        line.formatted(40_120, " (60 such calls since the last message)"));
    }

    @Test
    void refused_anotherHostOrReasonMeanwhile_isLoggedAtOnce() {
        refusals.call("Status", "/10.0.0.7:1");
        nowNanos += SECOND;
        refusals.call("Status", "/10.0.0.7:2");
        nowNanos += SECOND;
        refusals.call("Status", "/10.0.0.8:1");
        nowNanos += SECOND;
        refusals.handshake("TLS", "store", "/10.0.0.7:3", "what it said is not TLS");

        assertThat(logged.messages())
                .containsExactly(
                        "a call (Status) from /10.0.0.7:1 was refused: it does not know the run's key",
                        "a call (Status) from /10.0.0.8:1 was refused: it does not know the run's key",
                        "a call (TLS of the store) from /10.0.0.7:3 was refused: what it said is not TLS");
    }

    @Test
    void refused_everyTimeForAnotherReason_isLoggedOnceASecondAtMost() {
        for (int call = 0; call < 5000; call++) {
            refusals.handshake("TLS", "store", "/10.0.0.7:1", "reason " + call);
            nowNanos += SECOND / 10;
        }

        assertThat(logged.events()).hasSize(500);
    }
}
