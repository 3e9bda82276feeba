/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.CapturedLog;
import dev.elasticrun.rendezvous.golden.GoldenFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class RefusalsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String NO_TLS = "what it sent is not TLS";

    private final List<String> reported = new ArrayList<>();
    private long nowNanos = Long.MAX_VALUE - SECOND / 2;
    private final Refusals refusals =
            new Refusals(() -> nowNanos, one -> reported.add(one.method() + " " + one.from() + " " + one.count()));

    @RegisterExtension
    final CapturedLog logged = new CapturedLog(Refusals.class);

    @Test
    void refused_first_isReportedAtOnce() {
        refusals.call("Status", "/127.0.0.1:1");

        assertThat(reported).containsExactly("Status /127.0.0.1:1 1");
    }

    @Test
    void refused_oftenInASecond_isCountedAndReportedAfterIt() {
        for (int call = 0; call < 5; call++) {
            refusals.call("Status", "a");
        }
        nowNanos += SECOND;
        refusals.handshake("TLS", "store", "b", NO_TLS);

        assertThat(reported).hasSize(2);
        assertThat(reported.get(0)).startsWith("Status ").endsWith(" a 1");
        assertThat(reported.get(1)).startsWith("TLS ").endsWith(" b 5");
    }

    /** As a node whose certificate has ended calls, for as long as the run goes on. */
    @Test
    void refused_againAndAgainFromOneHostForOneReason_isLoggedOnceAMinuteWithTheNumberSince() {
        for (int second = 0; second <= 120; second++) {
            refusals.handshake("TLS", "control service", "/10.0.0.7:" + (40_000 + second), "its certificate has ended");
            nowNanos += SECOND;
        }

        assertThat(reported).hasSize(121);
        assertThat(logged.messages())
                .satisfiesExactly(
                        first -> assertThat(first).contains("/10.0.0.7:40000 ").doesNotContain("(60 "),
                        second -> assertThat(second).contains("/10.0.0.7:40060 ", "(60 "),
                        third -> assertThat(third).contains("/10.0.0.7:40120 ", "(60 "));
    }

    @Test
    @Tag("golden")
    void refused_anotherHostOrReasonMeanwhile_isLoggedAtOnce() throws IOException {
        refusals.call("Status", "/10.0.0.7:1");
        nowNanos += SECOND;
        refusals.call("Status", "/10.0.0.7:2");
        nowNanos += SECOND;
        refusals.call("Status", "/10.0.0.8:1");
        nowNanos += SECOND;
        refusals.handshake("TLS", "store", "/10.0.0.7:3", NO_TLS);
        nowNanos += SECOND * 60;
        refusals.call("Status", "/10.0.0.7:1");

        assertThat(logged.messages()).hasSize(4);
        GoldenFile.of(RefusalsTest.class, "refusals.txt")
                .add("one for each host and reason, and one with their number", String.join("\n", logged.messages()))
                .assertSame();
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
