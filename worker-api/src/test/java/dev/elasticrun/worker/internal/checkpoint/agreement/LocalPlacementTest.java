/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LocalPlacementTest {

    @Test
    void successors_oneRankEach_areTheNextNodes() {
        LocalPlacement placement = new LocalPlacement(List.of("a", "b", "c", "d"), 2);
        assertThat(placement.successors(0)).containsExactly(1, 2);
        assertThat(placement.successors(3)).containsExactly(0, 1);
        assertThat(placement.possible()).isEqualTo(2);
    }

    @Test
    void successors_severalRanksOfANode_shareTheLoad() {
        LocalPlacement placement = new LocalPlacement(List.of("a", "a", "b", "b", "c"), 2);
        assertThat(placement.successors(0)).containsExactly(2, 4);
        assertThat(placement.successors(1)).containsExactly(3, 4);
        assertThat(placement.successors(3)).containsExactly(4, 1);
        assertThat(placement.successors(4)).containsExactly(0, 2);
    }

    @Test
    void successors_fewerNodes_areThenOnTheSameNode() {
        LocalPlacement placement = new LocalPlacement(List.of("a", "a", "b"), 2);
        assertThat(placement.successors(0)).containsExactly(2, 1);
        assertThat(placement.successors(1)).containsExactly(2, 0);
        assertThat(placement.successors(2)).as("the only one of its node").containsExactly(0);
        assertThat(placement.possible()).isEqualTo(1);
        LocalPlacement one = new LocalPlacement(List.of("a", "a", "a", "a"), 2);
        assertThat(one.successors(0)).containsExactly(1, 2);
        assertThat(one.successors(3)).containsExactly(0, 1);
        assertThat(new LocalPlacement(List.of("a", "a"), 2).successors(0)).containsExactly(1);
        assertThat(new LocalPlacement(List.of("a"), 2).successors(0)).isEmpty();
        assertThat(new LocalPlacement(List.of("a", "b"), 0).successors(0)).isEmpty();
    }
}
