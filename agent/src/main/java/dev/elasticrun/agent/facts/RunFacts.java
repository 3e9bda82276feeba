/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.facts;

import dev.elasticrun.rendezvous.RunDescription;
import java.util.List;
import java.util.Optional;

/**
 * The whole run at this moment: what its store has of it, and what each of its live nodes says of its workers.
 *
 * @param answeredBy node whose agent put it together
 * @param nodes in the order of the description's
 */
public record RunFacts(RunDescription run, String answeredBy, List<NodeAnswer> nodes) {
    public RunFacts {
        nodes = List.copyOf(nodes);
    }

    public Optional<NodeAnswer> node(String nodeId) {
        return nodes.stream().filter(node -> node.nodeId().equals(nodeId)).findFirst();
    }

    /** What the run waits for, as its coordinator says; empty = for nothing, or the coordinator does not answer. */
    public String waitingFor() {
        return node(run.coordinator())
                .flatMap(answer -> Optional.ofNullable(answer.facts()))
                .map(NodeFacts::waitingFor)
                .orElse("");
    }

    /** Whether the coordinator keeps a node out of the round, and why. */
    public Optional<KeptOut> keptOut(String nodeId) {
        return node(run.coordinator())
                .flatMap(answer -> Optional.ofNullable(answer.facts()))
                .flatMap(facts -> facts.keptOut().stream()
                        .filter(kept -> kept.nodeId().equals(nodeId))
                        .findFirst());
    }

    /** How long the newest round has been known to the agent that answered; -1 = there is none, or it is not known. */
    public long roundAgeMillis() {
        return node(answeredBy)
                .flatMap(answer -> Optional.ofNullable(answer.facts()))
                .map(NodeFacts::roundAgeMillis)
                .orElse(-1L);
    }
}
