/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static dev.elasticrun.worker.ElasticShards.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class ElasticShardsTest {
    private static final int SEEDS = 5_000;

    @Test
    void plan_firstRound_givesRankItsOwnNumber() {
        assertThat(byRank(4, NONE, NONE, NONE, NONE)).containsExactly(0, 1, 2, 3);
    }

    @Test
    void plan_newcomers_takeWhatIsMissing() {
        assertThat(byRank(4, NONE, 3, NONE, 0)).containsExactly(1, 3, 2, 0);
    }

    @Test
    void plan_twoHoldersOfOneShard_theLowerRankKeepsIt() {
        assertThat(byRank(3, 2, 2, NONE)).containsExactly(2, 0, 1);
    }

    @Test
    void plan_fewerWorkersThanShards_leavesTheHighestThatNobodyHolds() {
        ElasticShards plan = ElasticShards.plan(4, new int[] {1, NONE}, 1);

        assertThat(plan.mine()).isZero();
        assertThat(plan.missing()).containsExactly(2, 3);
        assertThat(plan.holder(1)).isZero();
        assertThat(plan.holder(3)).isEqualTo(NONE);
        assertThat(plan).hasToString("shards by rank [1, 0], missing [2, 3]");
    }

    @Test
    void plan_moreWorkersThanShards_leavesTheLastWithout() {
        assertThat(byRank(2, NONE, NONE, 0, NONE)).containsExactly(1, NONE, 0, NONE);
    }

    @Test
    void position_followsTheShards_thenTheRanksWithout() {
        assertThat(positions(4, NONE, 3, NONE, 0)).containsExactly(1, 3, 2, 0);
        assertThat(positions(4, 3, 1)).containsExactly(1, 0);
        assertThat(positions(2, NONE, NONE, 0, 1)).containsExactly(2, 3, 0, 1);
        assertThat(positions(1, NONE)).containsExactly(0);
    }

    @Test
    void plan_outOfRange_isRefused() {
        assertThatThrownBy(() -> ElasticShards.plan(0, new int[1], 0)).hasMessage("shards: 0 (expected: >= 1)");
        assertThatThrownBy(() -> ElasticShards.plan(2, new int[] {2}, 0))
                .hasMessage("held: 2 (expected: 0 to 1, or -1 for none)");
        assertThatThrownBy(() -> ElasticShards.plan(2, new int[] {-2}, 0)).hasMessageStartingWith("held: -2");
        assertThatThrownBy(() -> ElasticShards.plan(2, new int[1], 1)).hasMessage("rank: 1 (expected: 0 to 0)");
    }

    @Test
    void plan_anyDeathsAndArrivals_movesNothingThatIsHeld() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int shards = 1 + random.nextInt(8);
            List<Integer> held = new ArrayList<>();
            for (int change = 0; change < 12; change++) {
                int[] before = change(held, shards, random);
                int[] after = byRank(shards, before);
                assertPlan(seed, shards, before, after);
                held = new ArrayList<>(Arrays.stream(after).boxed().toList());
            }
        }
    }

    /** Some die, the others are shuffled to other ranks, some come, and now and then one brings a shard of its own. */
    private static int[] change(List<Integer> held, int shards, Random random) {
        held.removeIf(shard -> random.nextInt(3) == 0);
        int newcomers = random.nextInt(4) + (held.isEmpty() ? 1 : 0);
        for (int i = 0; i < newcomers; i++) {
            held.add(random.nextInt(3) == 0 ? random.nextInt(shards) : NONE);
        }
        java.util.Collections.shuffle(held, random);
        return held.stream().mapToInt(Integer::intValue).toArray();
    }

    private static void assertPlan(int seed, int shards, int[] before, int[] after) {
        Set<Integer> given = new HashSet<>();
        for (int rank = 0; rank < after.length; rank++) {
            if (after[rank] != NONE) {
                assertThat(given.add(after[rank]))
                        .as("seed %d: one rank for each shard", seed)
                        .isTrue();
            }
            boolean isFirst = before[rank] != NONE && indexOf(before, before[rank]) == rank;
            if (isFirst) {
                assertThat(after[rank])
                        .as("seed %d: rank %d keeps its shard", seed, rank)
                        .isEqualTo(before[rank]);
            }
        }
        assertThat(given).as("seed %d: as many as can be", seed).hasSize(Math.min(shards, after.length));
        for (int rank = 0; rank < after.length; rank++) {
            ElasticShards plan = ElasticShards.plan(shards, before, rank);
            assertThat(plan.mine()).isEqualTo(after[rank]);
            assertThat(plan.missing()).hasSize(shards - given.size()).doesNotContainAnyElementsOf(given);
            if (plan.missing().isEmpty() && plan.mine() != NONE) {
                assertThat(plan.position()).as("seed %d", seed).isEqualTo(plan.mine());
            }
        }
        assertThat(positions(shards, before))
                .as("seed %d: each position once", seed)
                .containsExactlyInAnyOrder(IntStream.range(0, before.length).toArray());
    }

    private static int[] positions(int shards, int... heldByRank) {
        return IntStream.range(0, heldByRank.length)
                .map(rank -> ElasticShards.plan(shards, heldByRank, rank).position())
                .toArray();
    }

    private static int indexOf(int[] values, int value) {
        return IntStream.range(0, values.length)
                .filter(index -> values[index] == value)
                .findFirst()
                .orElse(NONE);
    }

    private static int[] byRank(int shards, int... heldByRank) {
        ElasticShards plan = ElasticShards.plan(shards, heldByRank, 0);
        return IntStream.range(0, heldByRank.length).map(plan::of).toArray();
    }
}
