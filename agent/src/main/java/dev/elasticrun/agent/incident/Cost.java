/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

/**
 * The cost of an incident. Times are milliseconds, negative = not known; each is measured on one host's clock.
 *
 * @param stalled total time without work of the member that resumed last
 */
public record Cost(Phases phases, double stalled, Restart hard, Progress progress, End end) {

    /**
     * One after the other: their sum is how long it took from the first sign of it until all worked, at the member that
     * worked last. What the coordinator did on another host is part of {@code paused}.
     *
     * @param detected from the first sign to the coordinator's decision
     * @param sealed from the decision to the sealed round
     * @param paused from then on until the member received WORK
     * @param resumed from WORK to its last worker's first operation, or the start of its process
     */
    public record Phases(double detected, double sealed, double paused, double resumed) {}

    /**
     * A restart of all workers in its place, as starts of this run were.
     *
     * @param millis median
     * @param starts of which
     */
    public record Restart(double millis, int starts) {
        static final Restart NONE = new Restart(-1, 0);
    }

    /**
     * How far workers were; negative = not known.
     *
     * @param stepBefore newest step that any reported before
     * @param stepsLost steps that were made again
     * @param versionBefore newest checkpoint before
     * @param versionAfter that workers resumed from
     */
    public record Progress(long stepBefore, long stepsLost, long versionBefore, long versionAfter) {}

    /**
     * The end of a run.
     *
     * @param decided from the first sign of it to the decision that the run ends
     * @param gone from the first sign of it until the last worker was gone
     */
    public record End(double decided, double gone) {
        static final End NONE = new End(-1, -1);
    }

    /** From the first sign of it until all worked. */
    double total() {
        return Math.max(0, phases.detected())
                + Math.max(0, phases.sealed())
                + Math.max(0, phases.paused())
                + Math.max(0, phases.resumed());
    }
}
