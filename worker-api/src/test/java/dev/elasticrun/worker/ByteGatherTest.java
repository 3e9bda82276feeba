/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.internal.engine.TestCluster;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bytes of any length, in pieces. */
@Timeout(60)
final class ByteGatherTest {
    private static final int[] LENGTHS = {0, 1, 7, 8, 9, 100, 1023};
    private static final int RANKS = 3;

    @TempDir
    private Path directory;

    @Test
    void broadcast_anyLengthAndFirstPiece_isTheRootsBytes() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, RANKS)) {
            List<Boolean> right = cluster.run(1, cluster.workers, collective -> {
                boolean isRight = true;
                for (int length : LENGTHS) {
                    for (int first : new int[] {1, 8, 4096}) {
                        byte[] mine = collective.rank() == 1 ? bytes(1, length) : new byte[3];
                        isRight &=
                                Arrays.equals(new ByteGather(collective, first).broadcast(mine, 1), bytes(1, length));
                    }
                }
                return isRight;
            });
            assertThat(right).containsOnly(true);
        }
    }

    @Test
    void gather_anyLengthsAndFirstPiece_isEachRanksBytes() throws Exception {
        try (TestCluster cluster = new TestCluster(directory, RANKS)) {
            List<Boolean> right = cluster.run(1, cluster.workers, collective -> {
                boolean isRight = true;
                for (int turn = 0; turn < LENGTHS.length; turn++) {
                    for (int first : new int[] {1, 30, 4096}) {
                        List<byte[]> all = new ByteGather(collective, first)
                                .gather(bytes(collective.rank(), length(collective.rank(), turn)));
                        for (int rank = 0; rank < RANKS; rank++) {
                            isRight &= Arrays.equals(all.get(rank), bytes(rank, length(rank, turn)));
                        }
                    }
                }
                return isRight;
            });
            assertThat(right).containsOnly(true);
        }
    }

    private static int length(int rank, int turn) {
        return LENGTHS[(rank + turn) % LENGTHS.length];
    }

    private static byte[] bytes(int rank, int length) {
        byte[] bytes = new byte[length];
        new Random(31L * rank + length).nextBytes(bytes);
        return bytes;
    }
}
