/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RunCurvesTest {
    @Test
    void values_haveFiveDigits_andNoneOfRounding() {
        assertThat(RunCurves.rounded(0.2577f)).isEqualTo(0.2577);
        assertThat(RunCurves.rounded(0.1f)).isEqualTo(0.1);
        assertThat(RunCurves.rounded(-3.1415927f)).isEqualTo(-3.1416);
        assertThat(RunCurves.rounded(1.2346432e-7f)).isEqualTo(1.2346e-7);
        assertThat(RunCurves.rounded(3.18767104E8f)).isEqualTo(318_770_000);
        assertThat(RunCurves.rounded(99_999.9f)).isEqualTo(100_000);
        assertThat(RunCurves.rounded(Float.MIN_VALUE)).isEqualTo(1.4013e-45);
        assertThat(RunCurves.rounded(0)).isZero();
    }

    @Test
    void valueThatIsNoNumber_isNotKnown() {
        assertThat(RunCurves.rounded(Float.NaN)).isNull();
        assertThat(RunCurves.rounded(Float.POSITIVE_INFINITY)).isNull();
    }
}
