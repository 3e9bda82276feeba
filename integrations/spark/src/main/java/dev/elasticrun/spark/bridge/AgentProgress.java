/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.bridge;

/** Receives how far a run is from the agent of rank 0's node. Called by one thread, once a second; must not block. */
@FunctionalInterface
public interface AgentProgress {
    /**
     * Reports what the command shows on a terminal.
     *
     * @param round the newest round of the agent
     * @param line round, world size, step and speed, as far as they are known
     */
    void at(long round, String line);
}
