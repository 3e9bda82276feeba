/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.collective.ReduceOp;

/** The operators as one would write them down. */
final class Reference {
    private Reference() {}

    static long apply(ReduceOp op, long a, long b) {
        return switch (op) {
            case SUM -> a + b;
            case PROD -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case BIT_AND -> a & b;
            case BIT_OR -> a | b;
            case BIT_XOR -> a ^ b;
        };
    }

    static double apply(ReduceOp op, double a, double b) {
        return switch (op) {
            case SUM -> a + b;
            case PROD -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case BIT_AND, BIT_OR, BIT_XOR -> throw new IllegalArgumentException(op + " of floating point values");
        };
    }

    static boolean isForIntegersOnly(ReduceOp op) {
        return op == ReduceOp.BIT_AND || op == ReduceOp.BIT_OR || op == ReduceOp.BIT_XOR;
    }
}
