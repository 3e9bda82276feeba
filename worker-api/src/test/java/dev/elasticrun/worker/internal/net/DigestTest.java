/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class DigestTest {

    @Test
    void of_anyBitFlipped_isAnother() {
        byte[] bytes = new byte[200];
        Set<Long> seen = new HashSet<>(Set.of(Digest.of(bytes, bytes.length)));
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            flip(bytes, bit);
            assertThat(seen.add(Digest.of(bytes, bytes.length))).isTrue();
            flip(bytes, bit);
        }
    }

    @Test
    void of_zerosOfOtherLength_isAnother() {
        Set<Long> seen = new HashSet<>();
        for (int length = 0; length < 1000; length++) {
            assertThat(seen.add(Digest.of(new byte[length], length))).isTrue();
        }
    }

    @Test
    void of_anyTwoBitsFlipped_isAnother() {
        byte[] bytes = new byte[128 + 9];
        new Random(3).nextBytes(bytes);
        Set<Long> seen = new HashSet<>();
        int bits = bytes.length * 8;
        int pairs = 0;
        for (int first = 0; first < bits; first += 3) {
            for (int second = first + 1; second < bits; second++) {
                flip(bytes, first);
                flip(bytes, second);
                seen.add(Digest.of(bytes, bytes.length));
                flip(bytes, first);
                flip(bytes, second);
                pairs++;
            }
        }
        assertThat(seen).hasSize(pairs);
    }

    @Test
    void of_blocksExchanged_isAnother() {
        byte[] bytes = new byte[2 * Digest.BLOCK];
        bytes[0] = 1;
        byte[] exchanged = new byte[2 * Digest.BLOCK];
        exchanged[Digest.BLOCK] = 1;
        assertThat(Digest.of(bytes, bytes.length)).isNotEqualTo(Digest.of(exchanged, exchanged.length));
    }

    @Test
    void blocks_ofMoreThanAnArrayHas_areCounted() {
        assertThat(Digest.blocks(5L << 30)).isEqualTo(5120);
        assertThat(Digest.blocks((5L << 30) + 1)).isEqualTo(5121);
        long[] hashes = new long[5120];
        assertThat(Digest.chain(hashes, 5L << 30)).isNotEqualTo(Digest.chain(hashes, (5L << 30) - 1));
    }

    private static void flip(byte[] bytes, int bit) {
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
    }
}
