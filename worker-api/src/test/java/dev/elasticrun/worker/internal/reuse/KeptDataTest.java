/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.reuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeptDataTest {
    private final KeptData kept = new KeptData();
    private int loads;

    private Object load() {
        loads++;
        return "load " + loads;
    }

    @Test
    void equalKey_isLoadedOnce_andAnotherKeyTakesItsPlace() throws Exception {
        assertThat(kept.get("rows", List.of("file", 0), this::load)).isEqualTo("load 1");
        assertThat(kept.get("rows", List.of("file", 0), this::load)).isEqualTo("load 1");
        assertThat(kept.get("labels", List.of("file", 0), this::load)).isEqualTo("load 2");
        assertThat(kept.get("rows", List.of("file", 1), this::load)).isEqualTo("load 3");
        assertThat(kept.get("rows", List.of("file", 0), this::load)).isEqualTo("load 4");
    }

    @Test
    void loadThatThrows_keepsNothing() throws Exception {
        kept.get("rows", 1, this::load);

        assertThatThrownBy(() -> kept.get("rows", 2, () -> {
                    throw new IOException("unreadable");
                }))
                .hasMessage("unreadable");

        assertThat(kept.get("rows", 1, this::load)).isEqualTo("load 2");
    }
}
