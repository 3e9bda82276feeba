/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class RunVersionTest {
    private static final RunVersion SEVENTH = new RunVersion(0, 7);
    private static final RunVersion LOST = RunVersion.lostIn(4);
    private static final RunVersion FIRST_AFTER = new RunVersion(4, 1);

    @Test
    void compare_afterALoss_isNewerThanAllBefore() {
        assertThat(RunVersion.NONE).isLessThan(SEVENTH);
        assertThat(SEVENTH).isLessThan(LOST);
        assertThat(LOST).isLessThan(FIRST_AFTER);
        assertThat(FIRST_AFTER.orNewer(SEVENTH)).isEqualTo(FIRST_AFTER);
        assertThat(SEVENTH.orNewer(LOST)).isEqualTo(LOST);
    }

    @Test
    void progress_isANewCheckpoint_notALoss() {
        assertThat(SEVENTH.isProgressOver(RunVersion.NONE)).isTrue();
        assertThat(SEVENTH.isProgressOver(SEVENTH)).isFalse();
        assertThat(LOST.isProgressOver(SEVENTH)).isFalse();
        assertThat(FIRST_AFTER.isProgressOver(SEVENTH)).isTrue();
        assertThat(FIRST_AFTER.isProgressOver(LOST)).isTrue();
    }

    @Test
    void text_roundTrip_isEqual() {
        assertThat(RunVersion.parse(FIRST_AFTER.text())).isEqualTo(FIRST_AFTER);
        assertThatThrownBy(() -> RunVersion.parse("7")).hasMessage("version: '7' (expected: two numbers)");
    }
}
