/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import java.util.Comparator;
import java.util.List;

/**
 * What was found on a node.
 *
 * @param node its name in this examination; another one in each
 * @param address at which other nodes would reach its agent
 * @param peers other nodes that were examined at the same time
 */
public record DoctorReport(String node, String address, List<Check> checks, List<PeerReport> peers) {

    public DoctorReport {
        checks = List.copyOf(checks);
        peers = List.copyOf(peers);
    }

    /** The worst of all checks. */
    public Health health() {
        return checks.stream().map(Check::health).max(Comparator.naturalOrder()).orElse(Health.OK);
    }
}
