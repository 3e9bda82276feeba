/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.internal.net.Digest;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StateCopierTest {

    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "1, 1",
        "7, 4",
        "63, 1",
        "64, 1",
        "65, 1",
        "127, 1",
        "1000, 1",
        "1048575, 1",
        "1048576, 1",
        "3000001, 4",
        "55000001, 1",
        "55000001, 2",
        "55000001, 3",
        "55000001, 9"
    })
    void copy_anyLengthAndThreads_copiesAndGivesTheDigestOfTheContent(int length, int threads) {
        byte[] from = new byte[length];
        new Random(7).nextBytes(from);
        byte[] to = new byte[length + 5];

        assertThat(StateCopier.copy(from, to, length, threads)).isEqualTo(Digest.of(from, length));
        assertThat(Arrays.mismatch(from, 0, length, to, 0, length)).isEqualTo(-1);
        assertThat(Arrays.copyOfRange(to, length, length + 5)).containsOnly(0);
    }
}
