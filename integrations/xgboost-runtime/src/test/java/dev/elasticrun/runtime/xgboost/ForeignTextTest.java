/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ForeignTextTest {
    @Test
    void text_thatTerminalsObey_isShownInOneLine() {
        assertThat(ForeignText.shown("loss 0.1\n12:00 ERROR forged \u001b[2J\u202e\n"))
                .isEqualTo("loss 0.1\\u000a12:00 ERROR forged \\u001b[2J\\u202e");
    }

    @Test
    void text_thatIsLong_isCut() {
        assertThat(ForeignText.shown("a".repeat(501))).isEqualTo("a".repeat(500) + "...");
        assertThat(ForeignText.shown("a".repeat(500))).isEqualTo("a".repeat(500));
    }
}
