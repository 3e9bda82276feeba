/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.facts;

/**
 * A node that is ready, and that the coordinator does not put into a round for now.
 *
 * @param why in words
 * @param leftMillis for how long from now on; -1 = its time has not begun
 */
public record KeptOut(String nodeId, String why, long leftMillis) {}
