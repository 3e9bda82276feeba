/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

/**
 * Receives what a launch finds out about itself. Methods must not block.
 *
 * <pre>{@code
 * ElasticLauncher.start(config, new LaunchListener() {
 *     @Override
 *     public void event(LaunchEvent event) {
 *         if (event.kind().equals("worker.failed")) {
 *             System.out.println("rank " + event.fields().get("rank") + ": " + event.fields().get("message"));
 *         }
 *     }
 * });
 * }</pre>
 */
public interface LaunchListener {
    LaunchListener NONE = new LaunchListener() {};

    /** How the run and this node are called; before anything is logged about them, and on any thread. */
    default void named(String runId, String nodeId) {}

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

    /**
     * Something happened in this node's agent: what it writes to {@code events.jsonl}, in the same order, until the result
     * of the launch is complete. On one thread, which also writes that file: events are lost to it, and to this method,
     * while this method does not return.
     */
    default void event(LaunchEvent event) {}
}
