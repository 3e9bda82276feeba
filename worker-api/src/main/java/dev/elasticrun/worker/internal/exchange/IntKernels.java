/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.ReduceOp;

/** The operators on runs of ints. A loop each, over plain arrays from 0: the form that the compiler makes vectors of. */
final class IntKernels {
    private IntKernels() {}

    static Combiner of(ReduceOp op) {
        return switch (op) {
            case SUM -> (into, other, count) -> sum((int[]) into, (int[]) other, count);
            case PROD -> (into, other, count) -> prod((int[]) into, (int[]) other, count);
            case MIN -> (into, other, count) -> min((int[]) into, (int[]) other, count);
            case MAX -> (into, other, count) -> max((int[]) into, (int[]) other, count);
            case BIT_AND -> (into, other, count) -> bitAnd((int[]) into, (int[]) other, count);
            case BIT_OR -> (into, other, count) -> bitOr((int[]) into, (int[]) other, count);
            case BIT_XOR -> (into, other, count) -> bitXor((int[]) into, (int[]) other, count);
        };
    }

    private static void sum(int[] into, int[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] + other[i];
        }
    }

    private static void prod(int[] into, int[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] * other[i];
        }
    }

    private static void min(int[] into, int[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Math.min(into[i], other[i]);
        }
    }

    private static void max(int[] into, int[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Math.max(into[i], other[i]);
        }
    }

    private static void bitAnd(int[] into, int[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] & other[i];
        }
    }

    private static void bitOr(int[] into, int[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] | other[i];
        }
    }

    private static void bitXor(int[] into, int[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] ^ other[i];
        }
    }
}
