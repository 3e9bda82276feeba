/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JobBoundsTest {
    private static final JobBounds BOUNDS = new JobBounds(2, 4);

    @Test
    void parse_ownText_isTheSame() {
        assertThat(JobBounds.parse(BOUNDS.toString())).contains(BOUNDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "3", "2:", ":4", "2:4:6", "-2:4", "2:many", "2:4000000000"})
    void parse_somethingElse_isNone(String text) {
        assertThat(JobBounds.parse(text)).isEmpty();
    }

    @Test
    void check_within_passes() {
        assertThatCode(() -> BOUNDS.check(2)).doesNotThrowAnyException();
        assertThatCode(() -> BOUNDS.check(4)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5})
    void check_outside_namesNumberAndBounds(int nodes) {
        assertThatThrownBy(() -> BOUNDS.check(nodes))
                .isInstanceOf(SchedulerException.class)
                .hasMessage("nodes: " + nodes + " (expected: 2:4, with which the job was submitted)");
    }
}
