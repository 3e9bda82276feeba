/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticrun.worker.contract.WorkerEnv;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ParityGroupsTest {

    @Test
    void seatings_oneRankEach_areGroupsThatDifferByOneNodeAtMost() {
        assertThat(holders(4, "a", "b", "c", "d")).containsExactly(List.of(0, 1, 2, 3));
        assertThat(holders(4, "a", "b", "c", "d", "e")).containsExactly(List.of(0, 1), List.of(2, 3, 4));
        assertThat(holders(4, "a", "b")).containsExactly(List.of(0, 1));
        assertThat(holders(2, "a", "b", "c")).as("one node protects nothing").containsExactly(List.of(0, 1, 2));
        for (int nodes = 2; nodes < 70; nodes++) {
            for (int size = 2; size <= WorkerEnv.MAX_CHECKPOINT_PARITY; size++) {
                String[] names =
                        IntStream.range(0, nodes).mapToObj(i -> "n" + i).toArray(String[]::new);
                List<List<Integer>> groups = holders(size, names);
                assertThat(groups.stream().mapToInt(List::size).sum()).isEqualTo(nodes);
                int most = Math.max(3, size);
                assertThat(groups).allMatch(group -> group.size() >= 2 && group.size() <= most);
            }
        }
    }

    @Test
    void seatings_severalRanksOfANode_ranksWithTheSameIndexAreASet() {
        assertThat(holders(4, "a", "a", "b", "b")).containsExactly(List.of(0, 2), List.of(1, 3));
        assertThat(holders(4, "a", "b", "b", "b"))
                .as("the only rank of the first node has a seat in each")
                .containsExactly(List.of(0, 1), List.of(0, 2), List.of(0, 3));
    }

    @Test
    void seatings_orphans_areSetsOfTheirOwn() {
        List<CheckpointInventory.Local> states = own(4);
        states.add(new CheckpointInventory.Local(4, 2, false, 0, 0));
        List<ParityGroups.Seating> seatings = new ParityGroups(List.of("a", "a", "b", "b"), 4).seatings(states);
        assertThat(seatings)
                .extracting(ParityGroups.Seating::holders)
                .containsExactly(List.of(0, 2), List.of(1, 3), List.of(0, 2));
        assertThat(seatings.get(2).set().members()).containsExactly(new ParitySet.Member(1, states.get(4)));
    }

    @Test
    void seatings_oneNode_areItsWorkers() {
        assertThat(holders(4, "a", "a", "a")).containsExactly(List.of(0, 1, 2));
        assertThat(holders(2, "a", "a", "a", "a")).containsExactly(List.of(0, 1), List.of(2, 3));
        assertThat(holders(4, "a")).isEmpty();
        assertThat(new ParityGroups(List.of("a", "a"), 2).protectsNodes()).isFalse();
        assertThat(new ParityGroups(List.of("a", "b"), 2).protectsNodes()).isTrue();
    }

    @Test
    void groups_ofWrongSize_areRefused() {
        assertThatThrownBy(() -> new ParityGroups(List.of("a"), 1)).hasMessage("size: 1 (expected: 2 to 16)");
        assertThatThrownBy(() -> new ParityGroups(List.of("a"), 17)).hasMessage("size: 17 (expected: 2 to 16)");
    }

    private static List<List<Integer>> holders(int size, String... nodes) {
        return new ParityGroups(List.of(nodes), size)
                .seatings(own(nodes.length)).stream()
                        .map(ParityGroups.Seating::holders)
                        .toList();
    }

    private static List<CheckpointInventory.Local> own(int ranks) {
        return new ArrayList<>(IntStream.range(0, ranks)
                .mapToObj(rank -> new CheckpointInventory.Local(rank, rank, true, 0, 0))
                .toList());
    }
}
