/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.spark.bridge.AgentEnd;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a task sends to the driver. */
final class AgentOutcomeTest {
    private static AgentOutcome of(int exitCode) {
        return new AgentOutcome(
                "7",
                "host-a",
                new AgentEnd("a1", exitCode, "reason", "report", Map.of(0, new byte[] {1}, 2, new byte[0])));
    }

    @Test
    void bytes_areReadAsTheyWereWritten() {
        AgentOutcome read = AgentOutcome.of(of(0).bytes());

        assertThat(read).usingRecursiveComparison().isEqualTo(of(0));
        assertThat(read.end().results().get(0)).containsExactly(1);
    }

    @ParameterizedTest
    @CsvSource({
        "0, true, true",
        "1, true, false",
        "2, true, false",
        "3, true, false",
        "130, false, false",
        "143, false, false"
    })
    void runIsOver_unlessTheNodeOnlyLeft(int exitCode, boolean endsRun, boolean succeeded) {
        assertThat(of(exitCode).endsRun()).isEqualTo(endsRun);
        assertThat(of(exitCode).succeeded()).isEqualTo(succeeded);
    }
}
