/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NodeLayoutTest {
    @Test
    void of_ranksOfEachNodeFollowEachOther_hasALeaderForEach() {
        NodeLayout layout = NodeLayout.of(List.of("a", "a", "b", "c", "c", "c")).orElseThrow();
        assertThat(layout.nodes()).isEqualTo(3);
        assertThat(layout.leaders()).containsExactly(0, 2, 3);
        assertThat(layout.members(2)).containsExactly(3, 4, 5);
        assertThat(List.of(0, 1, 2, 3, 5).stream().map(layout::nodeOf)).containsExactly(0, 0, 1, 2, 2);
        assertThat(layout.first(3)).isEqualTo(6);
    }

    @Test
    void of_oneNodeOrOneRankEachOrRanksThatAlternate_isEmpty() {
        assertThat(NodeLayout.of(List.of("a", "a"))).isEmpty();
        assertThat(NodeLayout.of(List.of("a", "b"))).isEmpty();
        assertThat(NodeLayout.of(List.of("a", "b", "a"))).isEmpty();
    }
}
