/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.rules.AgentState;
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
    @CsvSource({"0, false, succeeded", "143, true, stopped", "143, false, left", "130, false, left", "4, false, failed"
    })
    void end_hasAnOutcomeByCodeAndCommand(int exitCode, boolean stopped, String outcome) {
        AgentState.Ending ending = new AgentState.Ending(exitCode, "stopped by command", stopped, false);

        assertThat(RunEnd.of(ending, null).outcome()).isEqualTo(outcome);
    }
}
