/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

/**
 * Which run an agent has joined.
 *
 * @param incarnation random id of this start of the run
 * @param maxRestarts the run's budget
 * @param runKey the run's secret
 */
public record RunIdentity(String runId, String incarnation, int maxRestarts, byte[] runKey) {}
