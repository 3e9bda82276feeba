/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

/** Receives what a launch finds out about itself. */
public interface LaunchListener {
    LaunchListener NONE = (runId, nodeId) -> {};

    /** How the run and this node are called; before anything is logged about them, and on any thread. */
    void named(String runId, String nodeId);
}
