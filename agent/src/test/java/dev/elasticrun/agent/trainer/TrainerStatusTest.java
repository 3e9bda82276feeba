/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TrainerStatusTest {
    @ParameterizedTest
    @CsvSource({"1, 1000, 0", "10, 1000, 1", "999, 1000, 99", "1000, 1000, 99", "2000, 1000, 99"})
    void percentOf_isWholeOnlyAtTheEnd(long step, long total, long expected) {
        assertThat(TrainerStatus.percentOf(step, total)).hasValue(expected);
    }

    @ParameterizedTest
    @CsvSource({"0, 1000", "10, 0", "0, 0"})
    void percentOf_unknown_isEmpty(long step, long total) {
        assertThat(TrainerStatus.percentOf(step, total)).isEmpty();
    }

    @Test
    void json_hasOnlyWhatIsKnown() {
        TrainerStatus unknown = new TrainerStatus(OptionalLong.empty(), OptionalLong.empty(), Map.of());

        assertThat(unknown.json(Instant.EPOCH))
                .isEqualTo("{\"trainerStatus\":{\"metrics\":[],\"lastUpdatedTime\":\"1970-01-01T00:00:00Z\"}}");
    }
}
