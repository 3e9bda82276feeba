/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class ColoursTest {
    @Test
    void terminal_hasColours_unlessItHasNone() {
        assertThat(Colours.areWanted(Map.of("TERM", "xterm"), true)).isTrue();
        assertThat(Colours.areWanted(Map.of("TERM", "dumb"), true)).isFalse();
        assertThat(Colours.areWanted(Map.of(), true)).isFalse();
        assertThat(Colours.areWanted(Map.of("TERM", "xterm"), false)).isFalse();
    }

    @Test
    void variables_decide() {
        assertThat(Colours.areWanted(Map.of("TERM", "xterm", "NO_COLOR", "1"), true))
                .isFalse();
        assertThat(Colours.areWanted(Map.of("TERM", "xterm", "NO_COLOR", ""), true))
                .isTrue();
        assertThat(Colours.areWanted(Map.of("CLICOLOR_FORCE", "1"), false)).isTrue();
        assertThat(Colours.areWanted(Map.of("CLICOLOR_FORCE", "0"), false)).isFalse();
        assertThat(Colours.areWanted(Map.of("CLICOLOR_FORCE", "1", "NO_COLOR", "1"), true))
                .isFalse();
    }
}
