/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
    @Test
    void of_sameOutput_isTheSame() {
        Comparison comparison = Comparison.of(output(0, "model"), output(0, "model"), true);

        assertThat(comparison.compared()).isTrue();
        assertThat(comparison.same()).isTrue();
    }

    @Test
    void of_otherOutput_differs() {
        assertThat(Comparison.of(output(0, "model"), output(0, "modem"), true).same())
                .isFalse();
        assertThat(Comparison.of(output(0, "model"), output(0, "models"), true).same())
                .isFalse();
    }

    /** What the command prints then may be from the calm run. */
    @Test
    void of_runThatFailed_isNotTheSame() {
        assertThat(Comparison.of(output(0, "model"), output(0, "model"), false).same())
                .isFalse();
    }

    @Test
    void of_commandThatFailed_isNotTheSame() {
        assertThat(Comparison.of(output(1, ""), output(1, ""), true).same()).isFalse();
    }

    private static Comparison.Output output(int exitCode, String text) {
        return new Comparison.Output(exitCode, text.getBytes(StandardCharsets.UTF_8));
    }
}
