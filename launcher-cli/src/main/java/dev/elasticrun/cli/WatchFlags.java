/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfigBuilder;
import java.util.List;

/** What an agent serves to browsers and metrics systems. */
final class WatchFlags {
    private static final String LABEL = "[HOST:]PORT";

    private WatchFlags() {}

    static final Flags.Group GROUP = new Flags.Group(
            "Watching the run",
            List.of(
                    Flag.ifGiven(
                            "dashboard-port",
                            LABEL,
                            "Serve a web page about the run there; 0 is any free port, and without HOST only this"
                                    + " machine reaches it. Default: none.",
                            FlagKind.LISTEN,
                            LaunchConfigBuilder::dashboardPort,
                            config -> config.http().dashboard()),
                    Flag.ifGiven(
                            "metrics-port",
                            LABEL,
                            "Serve metrics for Prometheus there, at /metrics; 0 and HOST as above, and both flags may"
                                    + " name the same. Default: none.",
                            FlagKind.LISTEN,
                            LaunchConfigBuilder::metricsPort,
                            config -> config.http().metrics())));
}
