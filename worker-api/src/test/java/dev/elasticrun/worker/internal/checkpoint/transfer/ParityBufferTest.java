/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.internal.checkpoint.ContentPool;
import dev.elasticrun.worker.internal.checkpoint.PooledBlob;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ParityBufferTest {
    private static final int LENGTH = 61;

    @Test
    void xor_piecesOfAnyPlaceAndLength_isThatOfTheirBytes() {
        Random random = new Random(7);
        byte[] expected = new byte[LENGTH];
        ParityBuffer buffer = new ParityBuffer(LENGTH, true, new ContentPool(2));

        for (int at = 0; at < LENGTH; at++) {
            for (int count = 0; count <= LENGTH - at; count++) {
                byte[] piece = new byte[LENGTH];
                random.nextBytes(piece);
                buffer.xor(at, piece, count);
                for (int i = 0; i < count; i++) {
                    expected[at + i] ^= piece[i];
                }
            }
        }

        PooledBlob content = buffer.content();
        assertThat(Arrays.copyOf(content.buffer(), LENGTH)).isEqualTo(expected);
    }
}
