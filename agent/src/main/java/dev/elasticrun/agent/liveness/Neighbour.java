/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

/** A node, and where its agent's control service is reached. */
public record Neighbour(String nodeId, String address, int controlPort) {}
