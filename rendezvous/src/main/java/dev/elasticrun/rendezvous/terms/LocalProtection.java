/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

/**
 * How the local states of workers outlive their nodes: as copies on other workers, or by parity. All workers of a round
 * plan with it, so it is the same on all nodes.
 *
 * @param replicas other workers that keep a copy of each; 0 with parity
 * @param parity most nodes of a group that protects the states of its nodes by parity; 0 = there are copies
 */
public record LocalProtection(int replicas, int parity) {

    public static LocalProtection copies(int replicas) {
        return new LocalProtection(replicas, 0);
    }

    public static LocalProtection parity(int nodes) {
        return new LocalProtection(0, nodes);
    }

    /** Name of the flag that sets it. */
    String flag() {
        return parity > 0 ? "--checkpoint-parity" : "--local-replicas";
    }

    /** Value of that flag. */
    int value() {
        return parity > 0 ? parity : replicas;
    }
}
