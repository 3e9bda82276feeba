/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.facts;

import java.util.List;

/**
 * What one node's agent knows at this moment.
 *
 * @param waitingFor what the run waits for, in words: of the coordinator only; empty = for nothing
 * @param roundAgeMillis how long this agent has known the newest round; -1 = it knows none
 * @param workers by slot
 */
public record NodeFacts(String nodeId, String waitingFor, long roundAgeMillis, List<WorkerFacts> workers) {
    public NodeFacts {
        workers = List.copyOf(workers);
    }
}
