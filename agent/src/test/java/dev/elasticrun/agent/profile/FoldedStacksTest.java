/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class FoldedStacksTest {
    @Test
    void of_stacks_areLinesByFrequency_thenByName() {
        FoldedStacks stacks = FoldedStacks.of(Map.of("java;b", 2, "java;a", 2, "native;c", 7), 100);

        assertThat(stacks).isEqualTo(new FoldedStacks("native;c 7\njava;a 2\njava;b 2\n", 11, 0));
    }

    @Test
    void of_moreThanThereIsRoomFor_leavesTheRarestOut_andCountsThem() {
        FoldedStacks stacks = FoldedStacks.of(Map.of("java;often", 5, "java;sometimes;deep", 2, "java;x", 1), 20);

        assertThat(stacks).isEqualTo(new FoldedStacks("java;often 5\n", 5, 3));
    }

    @Test
    void of_nothing_isEmpty() {
        assertThat(FoldedStacks.of(Map.of(), 100)).isEqualTo(new FoldedStacks("", 0, 0));
    }
}
