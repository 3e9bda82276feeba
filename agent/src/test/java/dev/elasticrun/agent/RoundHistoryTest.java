/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.rules.RoundFixture;
import org.junit.jupiter.api.Test;

final class RoundHistoryTest {
    private final RoundHistory history = new RoundHistory("a");

    @Test
    void onRound_theFirst_isNoAnswer() {
        history.onRound(RoundFixture.round(1).with("a", 0, 2).build());

        assertThat(history.answers()).isEmpty();
    }

    @Test
    void onRound_suspendedThenSealed_isOneAnswer() {
        history.onRound(RoundFixture.round(1).with("a", 0, 2).with("b", 0, 2).build());
        history.onRound(RoundFixture.round(1).with("a", 0, 2).suspended().build());
        assertThat(history.answers()).containsExactly(new LaunchResult.Answer(1, "cause 1", true, 2, 0));

        history.onRound(RoundFixture.round(2).with("a", 0, 2).with("c", 0, 2).build());

        assertThat(history.answers()).containsExactly(new LaunchResult.Answer(2, "cause 1, then cause 2", false, 4, 0));
    }

    @Test
    void onRound_sameAgainBecauseOfACommand_isNoAnswer() {
        history.onRound(RoundFixture.round(0).build());
        history.onRound(RoundFixture.round(1).with("a", 0, 2).build());
        history.onRound(RoundFixture.round(2).with("a", 0, 2).build());
        history.onRound(RoundFixture.round(2).with("a", 0, 2).build());

        assertThat(history.answers()).containsExactly(new LaunchResult.Answer(2, "cause 2", false, 2, 0));
    }

    @Test
    void onRound_answeredThenSuspendedAgain_keepsTheFirstAnswer() {
        history.onRound(RoundFixture.round(1).with("a", 0, 2).build());
        history.onRound(RoundFixture.round(2).with("a", 0, 2).build());
        history.onRound(RoundFixture.round(2).with("a", 0, 2).suspended().build());

        assertThat(history.answers())
                .containsExactly(
                        new LaunchResult.Answer(2, "cause 2", false, 2, 0),
                        new LaunchResult.Answer(2, "cause 2", true, 2, 0));
    }

    @Test
    void onRound_suspendedTwice_namesOneCauseOnce() {
        history.onRound(RoundFixture.round(1).with("a", 0, 2).build());
        history.onRound(RoundFixture.round(1).with("a", 0, 2).suspended().build());
        history.onRound(RoundFixture.round(1).with("a", 0, 2).suspended().build());

        assertThat(history.answers()).containsExactly(new LaunchResult.Answer(1, "cause 1", true, 2, 0));
    }

    @Test
    void onRound_joinedWhileSuspended_reportsIt() {
        history.onRound(RoundFixture.round(5).with("a", 0, 1).suspended().build());

        assertThat(history.answers()).containsExactly(new LaunchResult.Answer(5, "cause 5", true, 1, 0));
    }

    @Test
    void onRound_manyRounds_keepsTheFirstAndTheNewest() {
        for (int number = 1; number <= 100; number++) {
            history.onRound(RoundFixture.round(number).with("a", 0, 1).build());
        }

        assertThat(history.answers()).hasSize(32);
        assertThat(history.answers()).extracting(LaunchResult.Answer::round).contains(2L, 9L, 77L, 100L);
    }

    @Test
    void rank_nodeIsNotInTheNewestRound_isThatOfItsLast() {
        assertThat(history.rank(0, 0)).isEqualTo(-1);
        history.onRound(RoundFixture.round(1).with("b", 0, 2).with("a", 0, 2).build());

        history.onRound(RoundFixture.round(2).with("b", 0, 2).build());

        assertThat(history.rank(0, 0)).isEqualTo(2);
    }
}
