/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Computes sixty-four bits that distinguish contents. No protection against intent.
 *
 * <p>Contents are cut into blocks; a block's hash has four independent lanes, each of which multiplies two words into
 * itself (as wyhash by Wang Yi does), so that the processor multiplies while it waits for memory: hashing while copying
 * costs what the copy costs. The digest chains the hashes of the blocks, which can be made in any order.
 */
public final class Digest {
    public static final int BLOCK = 1 << 20;

    /** Most bytes of a content: its blocks have numbers of 31 bits. */
    public static final long MAX_LENGTH = (long) Integer.MAX_VALUE * BLOCK;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SECRET = 0x9e3779b185ebca87L;
    // Small factors would not mix.
    private static final long LANE_A = 0xa0761d6478bd642fL;
    private static final long LANE_B = 0xe7037ed1a0b428dbL;
    private static final long LANE_C = 0x8ebc6af09c88c6e3L;
    private static final long LANE_D = 0x589965cc75374cc3L;
    private static final int STRIPE = 8 * Long.BYTES;

    private Digest() {}

    public static long of(byte[] content, int length) {
        long[] hashes = new long[blocks(length)];
        for (int block = 0; block < hashes.length; block++) {
            hashes[block] = block(content, block * BLOCK, Math.min(BLOCK, length - block * BLOCK));
        }
        return chain(hashes, length);
    }

    /** Stands for a content that is not known yet, by its place in the run. */
    public static long ofPlace(long world, long version) {
        return step(mix(LANE_D ^ world), version, LANE_A);
    }

    public static int blocks(long length) {
        return Math.toIntExact((length + BLOCK - 1) / BLOCK);
    }

    /** The digest of a content whose blocks have these hashes. */
    public static long chain(long[] hashes, long length) {
        long digest = mix(LANE_B ^ length);
        for (long hash : hashes) {
            digest = step(digest, hash, LANE_C);
        }
        return mix(digest);
    }

    public static long block(byte[] bytes, int start, int length) {
        int end = start + length - length % STRIPE;
        return tail(bytes, end, start + length, stripes(bytes, start, end));
    }

    /** Copies a block to the same place of another array; returns its hash. */
    public static long copyBlock(byte[] from, byte[] to, int start, int length) {
        int end = start + length - length % STRIPE;
        long folded = copyStripes(from, to, start, end);
        System.arraycopy(from, end, to, end, start + length - end);
        return tail(from, end, start + length, folded);
    }

    /** A loop of its own, which keeps all that it needs in registers. */
    private static long stripes(byte[] bytes, int start, int end) {
        long a = LANE_A;
        long b = LANE_B;
        long c = LANE_C;
        long d = LANE_D;
        for (int at = start; at < end; at += STRIPE) {
            a = step(a, word(bytes, at), word(bytes, at + 8));
            b = step(b, word(bytes, at + 16), word(bytes, at + 24));
            c = step(c, word(bytes, at + 32), word(bytes, at + 40));
            d = step(d, word(bytes, at + 48), word(bytes, at + 56));
        }
        return step(step(LANE_A, a, b), c, d);
    }

    private static long copyStripes(byte[] from, byte[] to, int start, int end) {
        long a = LANE_A;
        long b = LANE_B;
        long c = LANE_C;
        long d = LANE_D;
        for (int at = start; at < end; at += STRIPE) {
            a = step(a, move(from, to, at), move(from, to, at + 8));
            b = step(b, move(from, to, at + 16), move(from, to, at + 24));
            c = step(c, move(from, to, at + 32), move(from, to, at + 40));
            d = step(d, move(from, to, at + 48), move(from, to, at + 56));
        }
        return step(step(LANE_A, a, b), c, d);
    }

    private static long word(byte[] bytes, int at) {
        return (long) WORD.get(bytes, at);
    }

    private static long move(byte[] from, byte[] to, int at) {
        long word = (long) WORD.get(from, at);
        WORD.set(to, at, word);
        return word;
    }

    /** Both halves of the product of 128 bits: every bit of the words and of the lane changes half of the result. */
    private static long step(long lane, long first, long second) {
        long left = first ^ SECRET;
        long right = second ^ lane;
        return Math.multiplyHigh(left, right) ^ left * right;
    }

    private static long tail(byte[] bytes, int start, int end, long folded) {
        long hash = folded;
        for (int at = start; at < end; at++) {
            hash = step(hash, bytes[at], at - start);
        }
        return mix(hash);
    }

    /** The finaliser of MurmurHash3 (A. Appleby). */
    private static long mix(long value) {
        long mixed = (value ^ value >>> 33) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ mixed >>> 33;
    }
}
