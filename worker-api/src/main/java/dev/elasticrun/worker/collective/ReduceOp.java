/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/** How the values of two ranks are combined. Overflow and NaN behave as in Java arithmetic on the element type. */
public enum ReduceOp {
    SUM(1),
    PROD(2),
    MIN(3),
    MAX(4),
    /** For integer types only, as the two below. */
    BIT_AND(5),
    BIT_OR(6),
    BIT_XOR(7);

    private final int code;

    ReduceOp(int code) {
        this.code = code;
    }

    /** On the wire. */
    public int code() {
        return code;
    }
}
