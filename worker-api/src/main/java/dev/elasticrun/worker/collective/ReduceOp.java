/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/** How allReduce combines the values of two ranks. Overflow and NaN behave as in Java arithmetic. */
public enum ReduceOp {
    SUM(1) {
        @Override
        double apply(double a, double b) {
            return a + b;
        }

        @Override
        float apply(float a, float b) {
            return a + b;
        }

        @Override
        long apply(long a, long b) {
            return a + b;
        }

        @Override
        int apply(int a, int b) {
            return a + b;
        }
    },
    PROD(2) {
        @Override
        double apply(double a, double b) {
            return a * b;
        }

        @Override
        float apply(float a, float b) {
            return a * b;
        }

        @Override
        long apply(long a, long b) {
            return a * b;
        }

        @Override
        int apply(int a, int b) {
            return a * b;
        }
    },
    MIN(3) {
        @Override
        double apply(double a, double b) {
            return Math.min(a, b);
        }

        @Override
        float apply(float a, float b) {
            return Math.min(a, b);
        }

        @Override
        long apply(long a, long b) {
            return Math.min(a, b);
        }

        @Override
        int apply(int a, int b) {
            return Math.min(a, b);
        }
    },
    MAX(4) {
        @Override
        double apply(double a, double b) {
            return Math.max(a, b);
        }

        @Override
        float apply(float a, float b) {
            return Math.max(a, b);
        }

        @Override
        long apply(long a, long b) {
            return Math.max(a, b);
        }

        @Override
        int apply(int a, int b) {
            return Math.max(a, b);
        }
    };

    private final int code;

    ReduceOp(int code) {
        this.code = code;
    }

    /** On the wire. */
    int code() {
        return code;
    }

    abstract double apply(double a, double b);

    abstract float apply(float a, float b);

    abstract long apply(long a, long b);

    abstract int apply(int a, int b);
}
