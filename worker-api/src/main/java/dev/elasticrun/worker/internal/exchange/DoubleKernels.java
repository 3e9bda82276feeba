/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.ReduceOp;

/** The operators on runs of doubles. A loop each, over plain arrays from 0: the form that the compiler makes vectors of. */
final class DoubleKernels {
    private DoubleKernels() {}

    static Combiner of(ReduceOp op) {
        return switch (op) {
            case SUM -> (into, other, count) -> sum((double[]) into, (double[]) other, count);
            case PROD -> (into, other, count) -> prod((double[]) into, (double[]) other, count);
            case MIN -> (into, other, count) -> min((double[]) into, (double[]) other, count);
            case MAX -> (into, other, count) -> max((double[]) into, (double[]) other, count);
            case BIT_AND, BIT_OR, BIT_XOR ->
                throw new IllegalArgumentException("op: " + op + " on doubles (expected: SUM, PROD, MIN or MAX)");
        };
    }

    private static void sum(double[] into, double[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] + other[i];
        }
    }

    private static void prod(double[] into, double[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] * other[i];
        }
    }

    private static void min(double[] into, double[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Math.min(into[i], other[i]);
        }
    }

    private static void max(double[] into, double[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Math.max(into[i], other[i]);
        }
    }
}
