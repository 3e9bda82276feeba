/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
final class ElasticSamplerTest {
    private static final int SEEDS = 5_000;

    @Test
    void epoch_anyResizesAndRollbacks_usesEachSampleOnceInCommittedWork() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int size = random.nextInt(4) == 0 ? random.nextInt(8) : random.nextInt(3_000);
            Audit audit = new Audit(size, random);
            for (int epoch = 0; epoch < 2; epoch++) {
                audit.epoch(epoch, seed);
            }
        }
    }

    /** A world of samplers whose workers die, join and go back; only what was committed counts as used. */
    private static final class Audit {
        private final int size;
        private final Random random;
        private final boolean isShuffled;
        private List<ElasticSampler> world = new ArrayList<>();
        private byte[] committed;

        Audit(int size, Random random) {
            this.size = size;
            this.random = random;
            this.isShuffled = random.nextBoolean();
            this.committed = sampler().save();
            resize();
        }

        void epoch(long epoch, int seed) {
            BitSet used = new BitSet(size);
            List<long[]> sinceCommit = new ArrayList<>();
            world.forEach(each -> each.startEpoch(epoch));
            committed = world.get(0).save();
            while (world.get(0).hasNext()) {
                sinceCommit.addAll(step());
                int dice = random.nextInt(10);
                if (dice < 4 || !world.get(0).hasNext()) {
                    commit(used, sinceCommit, seed);
                } else if (dice < 6) {
                    sinceCommit.clear();
                    resize();
                }
            }
            assertThat(used.cardinality()).as("seed %d, epoch %d", seed, epoch).isEqualTo(size);
            assertThat(world).allMatch(each -> !each.hasNext() && each.remaining() == 0 && each.epoch() == epoch);
        }

        private List<long[]> step() {
            int batch = 1 + random.nextInt(40);
            boolean isGlobal = random.nextBoolean();
            List<long[]> shares = new ArrayList<>();
            world.forEach(each -> shares.add(isGlobal ? each.nextOf(batch) : each.next(batch)));
            int least = shares.stream().mapToInt(share -> share.length).min().orElseThrow();
            int most = shares.stream().mapToInt(share -> share.length).max().orElseThrow();
            assertThat(most - least).isLessThanOrEqualTo(1);
            return shares;
        }

        private void commit(BitSet used, List<long[]> shares, int seed) {
            committed = world.get(0).save();
            for (ElasticSampler each : world) {
                assertThat(each.save()).isEqualTo(committed);
            }
            for (long[] share : shares) {
                for (long sample : share) {
                    assertThat(used.get((int) sample))
                            .as("seed %d, sample %d twice", seed, sample)
                            .isFalse();
                    used.set((int) sample);
                }
            }
            shares.clear();
        }

        private void resize() {
            int newSize = 1 + random.nextInt(9);
            world = new ArrayList<>();
            for (int rank = 0; rank < newSize; rank++) {
                ElasticSampler sampler = sampler();
                sampler.restore(committed);
                sampler.split(rank, newSize);
                world.add(sampler);
            }
        }

        private ElasticSampler sampler() {
            return isShuffled ? ElasticSampler.shuffled(size, 42) : ElasticSampler.inOrder(size);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 7, 8, 9, 1023, 1024, 1025, 100_003})
    void shuffled_anySize_isAPermutation(long size) {
        assertThat(LongStream.of(all(size, 1, 0)).sorted().toArray())
                .isEqualTo(LongStream.range(0, size).toArray());
    }

    @Test
    void shuffled_seedAndEpoch_decideTheOrder() {
        assertThat(all(1000, 1, 0)).isEqualTo(all(1000, 1, 0));
        assertThat(all(1000, 1, 0)).isNotEqualTo(all(1000, 1, 1)).isNotEqualTo(all(1000, 2, 0));
    }

    @Test
    void shuffled_positions_areSpreadEvenly() {
        // The mean of where the first half of the order comes from: a uniform order is within 5 sigma of the middle.
        double mean = Arrays.stream(all(100_000, 7, 3)).limit(50_000).average().orElseThrow();
        assertThat(mean).isBetween(50_000.0 - 5 * 92, 50_000.0 + 5 * 92);
    }

    @Test
    void inOrder_world_getsConsecutiveRuns() {
        ElasticSampler second = ElasticSampler.inOrder(10);
        second.split(1, 3);
        assertThat(second.next(2)).containsExactly(2, 3);
        assertThat(second.next(2)).containsExactly(8);
        assertThat(second.hasNext()).isFalse();
        assertThat(second.next(2)).isEmpty();
    }

    @Test
    void hugeEpoch_costsNothingToStartOrSave() {
        ElasticSampler sampler = ElasticSampler.shuffled(1L << 50, 1);
        sampler.split(3, 7);
        long[] mine = sampler.next(5);
        assertThat(mine).hasSize(5);
        assertThat(LongStream.of(mine)).allMatch(sample -> sample >= 0 && sample < 1L << 50);
        assertThat(sampler.save()).hasSize(32);
        assertThat(sampler.remaining()).isEqualTo((1L << 50) - 35);
    }

    @Test
    void restore_otherData_isRefusedWithBothSizes() {
        byte[] saved = ElasticSampler.shuffled(10, 1).save();
        ElasticSampler other = ElasticSampler.shuffled(11, 1);
        assertThatThrownBy(() -> other.restore(saved)).hasMessage("snapshot: of 10 samples (expected: 11)");
        assertThatThrownBy(() -> other.restore(new byte[3])).hasMessage("snapshot: 3 bytes (expected: 32)");
    }

    @Test
    void arguments_outOfRange_areRefused() {
        assertThatThrownBy(() -> ElasticSampler.inOrder(-1)).hasMessageContaining("size: -1");
        ElasticSampler sampler = ElasticSampler.inOrder(1);
        assertThatThrownBy(() -> sampler.split(2, 2)).hasMessage("rank: 2 (expected: 0 to 1)");
        assertThatThrownBy(() -> sampler.next(0)).hasMessage("perRank: 0 (expected: >= 1)");
        assertThatThrownBy(() -> sampler.nextOf(0)).hasMessage("total: 0 (expected: >= 1)");
    }

    private static long[] all(long size, long seed, long epoch) {
        ElasticSampler sampler = ElasticSampler.shuffled(size, seed);
        sampler.startEpoch(epoch);
        return sampler.nextOf(Math.max(1, size));
    }
}
