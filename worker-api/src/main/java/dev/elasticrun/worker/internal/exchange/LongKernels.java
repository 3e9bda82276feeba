/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.ReduceOp;

/** The operators on runs of longs. A loop each, over plain arrays from 0: the form that the compiler makes vectors of. */
final class LongKernels {
    private LongKernels() {}

    static Combiner of(ReduceOp op) {
        return switch (op) {
            case SUM -> (into, other, count) -> sum((long[]) into, (long[]) other, count);
            case PROD -> (into, other, count) -> prod((long[]) into, (long[]) other, count);
            case MIN -> (into, other, count) -> min((long[]) into, (long[]) other, count);
            case MAX -> (into, other, count) -> max((long[]) into, (long[]) other, count);
            case BIT_AND -> (into, other, count) -> bitAnd((long[]) into, (long[]) other, count);
            case BIT_OR -> (into, other, count) -> bitOr((long[]) into, (long[]) other, count);
            case BIT_XOR -> (into, other, count) -> bitXor((long[]) into, (long[]) other, count);
        };
    }

    private static void sum(long[] into, long[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] + other[i];
        }
    }

    private static void prod(long[] into, long[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] * other[i];
        }
    }

    private static void min(long[] into, long[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Math.min(into[i], other[i]);
        }
    }

    private static void max(long[] into, long[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Math.max(into[i], other[i]);
        }
    }

    private static void bitAnd(long[] into, long[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] & other[i];
        }
    }

    private static void bitOr(long[] into, long[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] | other[i];
        }
    }

    private static void bitXor(long[] into, long[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] ^ other[i];
        }
    }
}
