/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.UpMessage;
import org.junit.jupiter.api.Test;

/** Which reasons are on the console. */
final class NoticesTest {
    private static final RoundFixture NEXT =
            RoundFixture.round(2).with("a", 0, 1).version(7);

    @Test
    void startAndAnswerToAnIncident_haveLinesOfTheirOwn() {
        assertThat(AgentFixture.soft(1).prepared().last().notice()).isFalse();
        assertThat(AgentFixture.soft(1).working().last().notice()).isFalse();
        assertThat(AgentFixture.soft(1).working().round(NEXT).last().notice()).isFalse();
        assertThat(AgentFixture.soft(1).working().dies(0, 137).last().notice()).isFalse();
    }

    @Test
    void whatAUserHasToKnow_isANotice() {
        assertThat(AgentFixture.soft(1)
                        .working()
                        .round(NEXT)
                        .reports(0, new UpMessage.StateLost(2, 7))
                        .last()
                        .notice())
                .isTrue();
        assertThat(AgentFixture.soft(1)
                        .working()
                        .apply(new AgentEvent.DrainRequested(143))
                        .last()
                        .notice())
                .isTrue();
        assertThat(AgentFixture.soft(1)
                        .working()
                        .reports(0, new UpMessage.StopRun("no data"))
                        .last()
                        .notice())
                .isTrue();
    }

    @Test
    void successOfAProgramThatNeverMetItsPeers_isANotice() {
        assertThat(AgentFixture.soft(1).started().exits(0, 0).last().notice()).isTrue();
        assertThat(AgentFixture.soft(1).working().exits(0, 0).last().notice()).isFalse();
    }
}
