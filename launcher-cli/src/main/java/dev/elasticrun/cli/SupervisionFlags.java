/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfigBuilder;
import java.util.List;

/** How workers' processes are run and when they are not run again. */
final class SupervisionFlags {
    private SupervisionFlags() {}

    static final Flags.Group GROUP = new Flags.Group(
            "Supervision",
            List.of(
                    Flag.ifAny(
                            "drain-signal",
                            "USR1|USR2,...",
                            "Signals that drain the agent, besides HUP, INT and TERM, as a scheduler sends them before"
                                    + " the end.",
                            FlagKind.SIGNALS,
                            LaunchConfigBuilder::drainSignals,
                            config -> config.drainSignals()),
                    Flag.ifAny(
                            "no-retry-exit-codes",
                            "N,...",
                            "Exit codes of a worker that end the run at once, whatever budget is left.",
                            FlagKind.EXIT_CODES,
                            LaunchConfigBuilder::noRetryExitCodes,
                            config -> config.restarts().noRetryExitCodes()),
                    Flag.of(
                                    "no-progress-limit",
                                    "N",
                                    "Incidents in a row without a new checkpoint before them that end the run, with"
                                            + " exit code 6; 0: any number.",
                                    FlagKind.number("0 or more"),
                                    LaunchConfigBuilder::noProgressLimit,
                                    config -> config.restarts().noProgressLimit())
                            .orElse("0"),
                    Flag.of(
                                    "bind-to",
                                    "none|core|numa",
                                    "Processors that each worker runs on: cores of its own, or those of a NUMA node. Memory is"
                                            + " bound to nothing: it is where a worker first touches it.",
                                    FlagKind.BINDING,
                                    LaunchConfigBuilder::bindTo,
                                    config -> config.workers().bindTo())
                            .orElse("none")));
}
