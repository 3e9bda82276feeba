/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.agents;

/**
 * How far a run was at a moment, by its agents.
 *
 * @param nanos monotonic clock of the host
 * @param worldSize workers of the round; 0 = there is none, or it is suspended
 * @param step newest that a worker with a rank reported; 0 = none
 * @param version newest checkpoint; 0 = none
 */
public record Sample(long nanos, long round, int worldSize, long step, long version) {}
