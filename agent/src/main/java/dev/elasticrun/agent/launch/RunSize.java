/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.launch;

/**
 * How large a run may be, and this node's part of it.
 *
 * @param minNodes fewest nodes that work
 * @param maxNodes most nodes that work
 * @param nprocPerNode workers of this node; nodes may differ
 */
public record RunSize(int minNodes, int maxNodes, int nprocPerNode) {}
