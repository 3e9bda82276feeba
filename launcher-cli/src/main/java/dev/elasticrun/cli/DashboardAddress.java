/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LocalRuns;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Where the page about a run is. Pure. */
final class DashboardAddress {
    private DashboardAddress() {}

    /** Of the first agent that serves a page. */
    static Optional<String> of(List<LocalRuns.LocalRun> agents, boolean withKey) {
        return agents.stream()
                .filter(agent -> !agent.file().dashboard().isEmpty())
                .findFirst()
                .map(agent -> agent.file().dashboard()
                        + (withKey ? "#key=" + HexFormat.of().formatHex(agent.key()) : ""));
    }
}
