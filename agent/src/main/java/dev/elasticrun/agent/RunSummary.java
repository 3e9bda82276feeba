/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.incident.RunTotals;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import java.time.Duration;

/**
 * A run as one agent of it saw it.
 *
 * @param took from the start of the agent to its end
 * @param goodput part of the time since its workers first worked that went into steps whose result survived; negative =
 *     they never worked
 * @param restartsUsed by the whole run
 * @param logDirectory logs are below it, by run and node
 * @param isUsualDirectory whether commands look there without an option
 */
public record RunSummary(
        String runId,
        Duration took,
        RunTotals totals,
        double goodput,
        int restartsUsed,
        RestartBudget budget,
        String logDirectory,
        boolean isUsualDirectory) {}
