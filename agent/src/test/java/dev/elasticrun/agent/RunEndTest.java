/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("once")
final class RunEndTest {
    @Test
    void run_thatGoesOn_hasNoOutcome() {
        assertThat(RunEnd.of(null, null).outcome()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, all workers ended with exit code 0, succeeded",
        "143, stopped by command of ann, stopped",
        "143, drained, left",
        "143, drained by command, left",
        "130, interrupted, left",
        "4, no restart is left, failed"
    })
    void end_isToldByCodeAndReason(int exitCode, String reason, String outcome) {
        AgentState.Ending ending = new AgentState.Ending(exitCode, reason, false);

        assertThat(RunEnd.of(ending, null).outcome()).isEqualTo(outcome);
    }
}
