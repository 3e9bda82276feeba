/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark.bridge;

/** Receives how far a run is. Methods must not block. */
public interface AgentProgress {
    /**
     * Reports what the command shows on a terminal. Called by the agent of rank 0's node, once a second, on one thread.
     *
     * @param round the newest round of the agent
     * @param line round, world size, step and speed, as far as they are known
     * @param page address of the agent's page about the run; empty if there is none, or none yet
     */
    void at(long round, String line, String page);

    /**
     * Reports that a round began. Called by the coordinator's agent, on another thread.
     *
     * @param line world size and cause
     */
    void began(long round, String line);
}
