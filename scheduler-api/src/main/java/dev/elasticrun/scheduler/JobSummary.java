/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler;

/**
 * A job in one line.
 *
 * @param id without the name of the scheduler
 * @param state as the scheduler calls it
 * @param nodes that run an agent now
 * @param wanted nodes that the scheduler is asked for
 */
public record JobSummary(String id, String name, String state, int nodes, int wanted) {}
