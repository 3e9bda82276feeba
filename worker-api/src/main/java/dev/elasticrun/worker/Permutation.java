/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

/**
 * A shuffled order of 0 to {@code size - 1} that is computed, not stored: a Feistel network on the smallest power of two
 * that holds the size, walked on until it lands below the size (cycle walking; Black and Rogaway, "Ciphers with Arbitrary
 * Finite Domains", 2002). The same key gives the same order everywhere.
 */
record Permutation(long size, long key) {
    private static final int ROUNDS = 8;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    /** The index at this position of the order. */
    long at(long position) {
        int bits = Math.max(2, Long.SIZE - Long.numberOfLeadingZeros(size - 1));
        long index = position;
        do {
            index = encipher(index, bits / 2, bits - bits / 2);
        } while (index >= size);
        return index;
    }

    /** The halves may differ by a bit; an even number of rounds puts them back. */
    private long encipher(long value, int highBits, int lowBits) {
        int leftBits = highBits;
        int rightBits = lowBits;
        long left = value >>> lowBits;
        long right = value & mask(lowBits);
        for (int round = 0; round < ROUNDS; round++) {
            long swapped = left ^ (mix(right + key + round * GOLDEN) & mask(leftBits));
            left = right;
            right = swapped;
            int bits = leftBits;
            leftBits = rightBits;
            rightBits = bits;
        }
        return left << lowBits | right;
    }

    private static long mask(int bits) {
        return (1L << bits) - 1;
    }

    /** The finaliser of SplitMix64 (Steele, Lea and Flood, 2014). */
    static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }
}
