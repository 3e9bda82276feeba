/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.replay;

/**
 * How much is kept for workers that take another's place.
 *
 * @param replicas approximate number of ranks that have each result
 * @param maxBytes of results on one rank; older ones go
 */
public record ReplayLimits(int replicas, long maxBytes) {
    /** Nothing is kept: no worker is replaced. */
    public static final ReplayLimits OFF = new ReplayLimits(0, 0);

    private static final int REPLICAS = 5;
    private static final long MAX_BYTES = 1L << 30;

    /** What suits this machine: Rabit's number of copies, and at most a quarter of the heap. */
    public static ReplayLimits standard() {
        return new ReplayLimits(
                REPLICAS, Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / 4));
    }

    boolean isOn() {
        return replicas > 0;
    }
}
