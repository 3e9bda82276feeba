/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.internal.faults.FaultInjector.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DeathTest {
    static Stream<Death> deaths() {
        return Stream.of(
                Death.atStep(3),
                Death.atCall(3, 1).ofRank(2),
                Death.inCheckpoint(0).ofRank(0).inLife(1),
                Death.asCheckpointEnds(4),
                Death.whileServing(),
                Death.whileFetching().ofRank(5));
    }

    @ParameterizedTest
    @MethodSource("deaths")
    void text_isReadAgain(Death death) {
        assertThat(Death.parse(death.toString())).isEqualTo(death).hasSameHashCodeAs(death);
    }

    @Test
    void isAt_fitsWhatIsNamed() {
        Death death = Death.atStep(3).ofRank(1);

        assertThat(death.isAt(Instant.OPERATION, 1, 3, 0, 2)).isTrue();
        assertThat(death.isAt(Instant.OPERATION, 0, 3, 0, 2)).isFalse();
        assertThat(death.isAt(Instant.OPERATION, 1, 4, 0, 2)).isFalse();
        assertThat(death.isAt(Instant.OPERATION, 1, 3, 1, 2)).isFalse();
        assertThat(death.isAt(Instant.STAGED, 1, 3, 0, 2)).isFalse();
        assertThat(death.inLife(0).isAt(Instant.OPERATION, 1, 3, 0, 2)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "OPERATION", "OPERATION:1:2:3", "OPERATION:1:2:3:x", "LUNCH:1:2:3:4"})
    void parse_whatIsNoDeath_namesIt(String text) {
        assertThatThrownBy(() -> Death.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("death: " + text + " (expected: INSTANT:RANK:CHECKPOINTS:OPERATIONS:LIFE, -1 = any)");
    }

    @Test
    void negativeValues_areRefused() {
        assertThatThrownBy(() -> Death.atStep(-1)).hasMessage("step: -1 (expected: 0 or more)");
        assertThatThrownBy(() -> Death.atCall(0, -2)).hasMessage("call: -2 (expected: 0 or more)");
        assertThatThrownBy(() -> Death.atStep(0).ofRank(-3)).hasMessage("rank: -3 (expected: 0 or more)");
    }
}
