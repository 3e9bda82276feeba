/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.LocalRuns;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Where the page about a run is. */
final class DashboardAddress {
    private DashboardAddress() {}

    /** Of the first agent that serves a page. */
    static Optional<String> of(List<LocalRuns.LocalRun> agents, boolean withKey) {
        return serving(agents)
                .map(agent -> agent.file().served().dashboard()
                        + (withKey ? "#key=" + HexFormat.of().formatHex(agent.key()) : ""));
    }

    /** The browser's warning before that page, with the fingerprint of the right certificate; empty without TLS. */
    static Optional<String> warning(List<LocalRuns.LocalRun> agents) {
        return serving(agents).map(LocalRuns.LocalRun::file).flatMap(file -> file.encryption()
                .map(tls -> "a browser that does not know the authority in " + file.tls()
                        + "/ca.pem warns before it shows the page; SHA-256 of the right certificate: "
                        + tls.fingerprint()));
    }

    private static Optional<LocalRuns.LocalRun> serving(List<LocalRuns.LocalRun> agents) {
        return agents.stream()
                .filter(agent -> !agent.file().served().dashboard().isEmpty())
                .findFirst();
    }
}
