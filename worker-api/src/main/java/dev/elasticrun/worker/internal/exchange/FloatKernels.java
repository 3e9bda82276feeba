/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.ReduceOp;

/** The operators on runs of floats. A loop each, over plain arrays from 0: the form that the compiler makes vectors of. */
final class FloatKernels {
    private FloatKernels() {}

    static Combiner of(ReduceOp op) {
        return switch (op) {
            case SUM -> (into, other, count) -> sum((float[]) into, (float[]) other, count);
            case PROD -> (into, other, count) -> prod((float[]) into, (float[]) other, count);
            case MIN -> (into, other, count) -> min((float[]) into, (float[]) other, count);
            case MAX -> (into, other, count) -> max((float[]) into, (float[]) other, count);
            case BIT_AND, BIT_OR, BIT_XOR ->
                throw new IllegalArgumentException("op: " + op + " on floats (expected: SUM, PROD, MIN or MAX)");
        };
    }

    private static void sum(float[] into, float[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] + other[i];
        }
    }

    private static void prod(float[] into, float[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = into[i] * other[i];
        }
    }

    private static void min(float[] into, float[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Math.min(into[i], other[i]);
        }
    }

    private static void max(float[] into, float[] other, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = Math.max(into[i], other[i]);
        }
    }
}
