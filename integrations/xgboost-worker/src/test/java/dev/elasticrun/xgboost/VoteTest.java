/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class VoteTest {
    private static final Optional<byte[]> STATE = Optional.of(new byte[] {1, 2, 3});
    private static final Optional<byte[]> OTHER = Optional.of(new byte[] {1, 2, 4});
    private static final Optional<byte[]> NOTHING = Optional.empty();

    @Test
    void of_allHaveTheSame_isGood() {
        Vote vote = count(Vote.ballot(STATE, 0), Vote.ballot(STATE, 0), Vote.ballot(STATE, 2));

        assertThat(vote.isGood()).isTrue();
        assertThat(vote.isOneModel()).isTrue();
        assertThat(vote.isFor(STATE.orElseThrow())).isTrue();
        assertThat(vote.isFor(OTHER.orElseThrow())).isFalse();
        assertThat(vote.isFor(new byte[0])).isFalse();
        assertThat(vote.failures()).isEqualTo(2);
    }

    @Test
    void of_oneHasAnother_isNotOneModel() {
        assertThat(count(Vote.ballot(STATE, 0), Vote.ballot(OTHER, 0)).isOneModel())
                .isFalse();
        assertThat(count(Vote.ballot(OTHER, 0), Vote.ballot(STATE, 0)).isOneModel())
                .isFalse();
    }

    /** Whose group broke shows nothing of a model: the others may have been cut off at different places. */
    @Test
    void of_oneHasNothing_isNotGoodWhateverTheOthersHave() {
        Vote vote = count(Vote.ballot(STATE, 0), Vote.ballot(NOTHING, 1), Vote.ballot(OTHER, 0));

        assertThat(vote.isGood()).isFalse();
        assertThat(vote.isOneModel()).isTrue();
        assertThat(vote.failures()).isOne();
    }

    /** As the collective does it. */
    private static Vote count(long[]... ballots) {
        long[] least = ballots[0].clone();
        for (long[] ballot : ballots) {
            for (int word = 0; word < least.length; word++) {
                least[word] = Math.min(least[word], ballot[word]);
            }
        }
        return Vote.of(least);
    }
}
