/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

/** Runs of which only a little matters. */
public final class RunSpecs {
    private RunSpecs() {}

    /** Without a framework and encryption. */
    public static RunTerms terms(int minNodes, int maxNodes, String policy, int maxRestarts) {
        return new RunTerms(
                new NodeBounds(minNodes, maxNodes), policy, "none", "off", LocalProtection.copies(2), maxRestarts);
    }

    /** A run that nobody has the key of. */
    public static RunSpec of(String incarnation, RunTerms terms) {
        return new RunSpec(incarnation, terms, new byte[0], new byte[0], 0);
    }
}
