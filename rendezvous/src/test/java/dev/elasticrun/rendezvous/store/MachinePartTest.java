/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MachinePartTest {
    private static final String MESSAGE = "this machine lacks a red button: nobody built one";
    private final IOException why = new IOException("nobody built one");

    @Test
    void require_partIsThere_isReturned() {
        assertThat(MachinePart.require("a red button", () -> "here")).isEqualTo("here");
    }

    @Test
    void missing_inCi_failsWithItsName() {
        assertThatThrownBy(() -> MachinePart.missing("a red button", why, Map.of("CI", "true")))
                .isInstanceOf(AssertionError.class)
                .hasMessage(MESSAGE)
                .hasCause(why);
    }

    @Test
    void missing_elsewhere_abortsWithItsName() {
        assertThatThrownBy(() -> MachinePart.missing("a red button", why, Map.of()))
                .isNotInstanceOf(AssertionError.class)
                .hasMessage(MESSAGE);
    }
}
