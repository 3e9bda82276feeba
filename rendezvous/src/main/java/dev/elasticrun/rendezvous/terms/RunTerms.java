/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

/**
 * What all nodes of a run have in common: as one agent wishes it, as the first agent fixed it, or as it is now.
 *
 * @param nodes how many it has
 * @param policy name of the restart policy, with its option after a colon if it has one
 * @param runtime what is prepared for a framework around each round
 * @param tls by what nodes encrypt their connections to each other; {@code off} = they do not
 * @param locals how local states outlive their nodes
 * @param restarts budget; the first agent's values rule
 */
public record RunTerms(
        NodeBounds nodes, String policy, String runtime, String tls, LocalProtection locals, RestartBudget restarts) {

    /** With restarts for the whole run. */
    public RunTerms(
            NodeBounds nodes, String policy, String runtime, String tls, LocalProtection locals, int maxRestarts) {
        this(nodes, policy, runtime, tls, locals, RestartBudget.of(maxRestarts));
    }

    public int maxRestarts() {
        return restarts.max();
    }

    /** The same of a run that was scaled. */
    public RunTerms withNodes(NodeBounds scaled) {
        return new RunTerms(scaled, policy, runtime, tls, locals, restarts);
    }
}
