/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.rules.AgentFixture;
import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.proto.WorkerStatus;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JobViewTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "120 | 500   | 4.0  | round=1 world=3 step 120 of 500, 4.00 steps/s, about 95 s left",
                "120 | 0     | 41.6 | round=1 world=3 step 120, 42 steps/s",
                "120 | 9000  | 2.0  | round=1 world=3 step 120 of 9000, 2.00 steps/s, about 74 min left",
                "120 | 90000 | 2.0  | round=1 world=3 step 120 of 90000, 2.00 steps/s, about 12 h left",
                "120 | 500   | -1   | round=1 world=3 step 120 of 500",
                "500 | 500   | 4.0  | round=1 world=3 step 500 of 500, 4.00 steps/s",
            })
    void rankZero_isNotified(long step, long total, double rate, String expected) {
        assertThat(line(AgentFixture.soft(2).working(), step, total, rate)).contains(expected);
    }

    @Test
    void nothingKnown_reportsNothing() {
        assertThat(line(AgentFixture.soft(2).working(), 0, 500, -1)).isEmpty();
        assertThat(JobView.of(AgentFixture.soft(2).working().state(), "a", Map.of()))
                .isEmpty();
    }

    @Test
    void pausedOrNotInARound_reportsNothing() {
        AgentFixture agent = AgentFixture.soft(2).working();
        agent.round(RoundFixture.round(2).with("a", 0, 2).suspended());
        assertThat(line(agent, 1, 2, 1)).isEmpty();
        assertThat(line(AgentFixture.soft(2).prepared(), 1, 2, 1)).isEmpty();
    }

    @Test
    void rankZeroElsewhere_reportsNothing() {
        AgentFixture agent = AgentFixture.soft(2).prepared();
        agent.round(RoundFixture.round(1).with("b", 0, 1).with("a", 0, 2));
        assertThat(line(agent, 1, 2, 1)).isEmpty();
    }

    private static Optional<String> line(AgentFixture agent, long step, long total, double rate) {
        return JobView.of(
                agent.state(),
                "a",
                Map.of(
                        new WorkerGauges.Key(0, 0),
                        WorkerStatus.newBuilder()
                                .setStep(step)
                                .setTotal(total)
                                .setStepsPerSecond(rate)
                                .build()));
    }
}
