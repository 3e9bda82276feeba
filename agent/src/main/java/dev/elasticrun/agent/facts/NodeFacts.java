/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.facts;

import java.util.List;

/**
 * What one node's agent knows at this moment.
 *
 * @param waitingFor what the run waits for, in words: of the coordinator only; empty = for nothing
 * @param keptOut nodes that are not put into a round for now: of the coordinator only
 * @param roundAgeMillis how long this agent has known the newest round; -1 = it knows none
 * @param workers by slot
 */
public record NodeFacts(
        String nodeId, String waitingFor, List<KeptOut> keptOut, long roundAgeMillis, List<WorkerFacts> workers) {
    public NodeFacts {
        keptOut = List.copyOf(keptOut);
        workers = List.copyOf(workers);
    }
}
