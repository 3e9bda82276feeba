/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.http.IncidentRows;
import dev.elasticrun.rendezvous.Failure;
import dev.elasticrun.rendezvous.RunDescription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Failures of workers as the nodes' records told them: a record forgets them when its node goes on. Safe for use by any thread. */
final class SeenFailures {
    private static final int MAX = 256;
    private static final int TOLD = 3;

    private final Map<String, Failure> failures = new LinkedHashMap<>();

    synchronized void see(RunDescription run) {
        run.nodes().stream()
                .flatMap(node -> node.failures().stream())
                .filter(failure -> !failure.collateral())
                .forEach(failure ->
                        failures.put(failure.nodeId() + "/" + failure.attempt() + "." + failure.slot(), failure));
        while (failures.size() > MAX) {
            failures.remove(failures.keySet().iterator().next());
        }
    }

    synchronized IncidentRows.Failed inRound(long round) {
        List<Failure> found = failures.values().stream()
                .filter(failure -> failure.round() == round)
                .toList();
        String words = found.stream()
                .limit(TOLD)
                .map(failure -> "rank " + failure.rank() + " on " + failure.nodeId() + ": " + failure.message())
                .collect(Collectors.joining("; "));
        String more = found.size() > TOLD ? "; and " + (found.size() - TOLD) + " more" : "";
        return new IncidentRows.Failed(
                found.stream()
                        .map(Failure::rank)
                        .filter(rank -> rank >= 0)
                        .sorted()
                        .toList(),
                words + more);
    }
}
