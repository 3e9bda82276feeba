/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

/** Receives what a launch finds out about itself. Methods must not block. */
public interface LaunchListener {
    LaunchListener NONE = (runId, nodeId) -> {};

    /** How the run and this node are called; before anything is logged about them, and on any thread. */
    void named(String runId, String nodeId);

    /** Whether {@link #progress} has an effect; then the job's progress is not logged. */
    default boolean showsProgress() {
        return false;
    }

    /**
     * How far the job is, once a second; on one thread.
     *
     * @param line empty = nothing is known, or rank 0 works elsewhere
     */
    default void progress(String line) {}
}
