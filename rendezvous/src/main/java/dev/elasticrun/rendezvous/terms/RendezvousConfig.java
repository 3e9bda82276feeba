/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

/**
 * How one agent takes part in the rendezvous of a run. Checked where it is made, in the agent's launch configuration.
 *
 * @param terms what this agent wishes; if it is the first, the run's
 * @param lease of its node
 * @param rounds what counts while it coordinates
 */
public record RendezvousConfig(
        String runId, RunTerms terms, LeaseTimes lease, RoundTimes rounds, StoreContact store, RunKeySource runKey) {}
