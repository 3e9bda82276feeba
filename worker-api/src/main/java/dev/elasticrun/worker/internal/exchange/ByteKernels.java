/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.ReduceOp;

/** The operators on runs of bytes. A loop each, over plain arrays from 0: the form that the compiler makes vectors of. */
final class ByteKernels {
    private ByteKernels() {}

    static Combiner of(ReduceOp op) {
        return switch (op) {
            case SUM -> (into, other, count) -> sum((byte[]) into, (byte[]) other, count);
            case PROD -> (into, other, count) -> prod((byte[]) into, (byte[]) other, count);
            case MIN -> (into, other, count) -> min((byte[]) into, (byte[]) other, count);
            case MAX -> (into, other, count) -> max((byte[]) into, (byte[]) other, count);
            case BIT_AND -> (into, other, count) -> bitAnd((byte[]) into, (byte[]) other, count);
            case BIT_OR -> (into, other, count) -> bitOr((byte[]) into, (byte[]) other, count);
            case BIT_XOR -> (into, other, count) -> bitXor((byte[]) into, (byte[]) other, count);
        };
    }

    private static void sum(byte[] into, byte[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = (byte) (into[i] + other[i]);
        }
    }

    private static void prod(byte[] into, byte[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = (byte) (into[i] * other[i]);
        }
    }

    private static void min(byte[] into, byte[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = (byte) Math.min(into[i], other[i]);
        }
    }

    private static void max(byte[] into, byte[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = (byte) Math.max(into[i], other[i]);
        }
    }

    private static void bitAnd(byte[] into, byte[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = (byte) (into[i] & other[i]);
        }
    }

    private static void bitOr(byte[] into, byte[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = (byte) (into[i] | other[i]);
        }
    }

    private static void bitXor(byte[] into, byte[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = (byte) (into[i] ^ other[i]);
        }
    }
}
