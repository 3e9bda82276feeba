/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RingScheduleTest {

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 8, 13})
    void chunks_coverAllElementsOnce(int size) {
        for (int count : new int[] {0, 1, size - 1, size, size + 1, 1000, Integer.MAX_VALUE}) {
            assertThat(RingSchedule.start(count, 0, size)).isZero();
            assertThat(RingSchedule.start(count, size, size)).isEqualTo(count);
            for (int chunk = 0; chunk < size; chunk++) {
                int length = RingSchedule.start(count, chunk + 1, size) - RingSchedule.start(count, chunk, size);
                assertThat(length).isBetween(count / size, count / size + 1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 8, 13})
    void steps_sentIsWhatTheNextRankReceives(int size) {
        for (int rank = 0; rank < size; rank++) {
            RingSchedule mine = new RingSchedule(rank, size);
            RingSchedule next = new RingSchedule(mine.next(), size);
            assertThat(next.previous()).isEqualTo(rank);
            for (int step = 0; step < mine.steps(); step++) {
                assertThat(next.receivedChunk(step)).isEqualTo(mine.sentChunk(step));
            }
        }
    }

    /** Follows which ranks' values each chunk holds. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 8, 13})
    void steps_endWithEveryChunkCompleteEverywhere(int size) {
        BitSet[][] parts = new BitSet[size][size];
        for (int rank = 0; rank < size; rank++) {
            for (int chunk = 0; chunk < size; chunk++) {
                parts[rank][chunk] = new BitSet();
                parts[rank][chunk].set(rank);
            }
        }
        for (int step = 0; step < 2 * (size - 1); step++) {
            BitSet[] sent = new BitSet[size];
            for (int rank = 0; rank < size; rank++) {
                RingSchedule ring = new RingSchedule(rank, size);
                sent[ring.next()] = (BitSet) parts[rank][ring.sentChunk(step)].clone();
            }
            for (int rank = 0; rank < size; rank++) {
                RingSchedule ring = new RingSchedule(rank, size);
                BitSet chunk = parts[rank][ring.receivedChunk(step)];
                if (ring.isReducing(step)) {
                    assertThat(chunk.intersects(sent[rank]))
                            .as("no value twice")
                            .isFalse();
                    chunk.or(sent[rank]);
                } else {
                    parts[rank][ring.receivedChunk(step)] = sent[rank];
                }
            }
        }
        for (BitSet[] chunks : parts) {
            assertThat(chunks).allMatch(chunk -> chunk.cardinality() == size);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 13, 64})
    void tree_everyRankButTheRootIsChildOfItsParent(int size) {
        for (int root = 0; root < size; root++) {
            int edges = 0;
            for (int rank = 0; rank < size; rank++) {
                BinomialTree tree = new BinomialTree(rank, size, root);
                edges += tree.childCount();
                if (!tree.isRoot()) {
                    BinomialTree above = new BinomialTree(tree.parent(), size, root);
                    assertThat(IntStream.range(0, above.childCount()).map(above::child))
                            .contains(rank);
                }
            }
            assertThat(edges).isEqualTo(size - 1);
        }
    }
}
