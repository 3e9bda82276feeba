/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.util.ArrayList;
import java.util.List;

/**
 * What the first agent fixed for all.
 *
 * @param incarnation random id of this start of the run
 * @param tls who vouches for the run's nodes, as in {@link RendezvousConfig#tls}
 * @param maxRestarts budget of the run; the first agent's value rules
 * @param runKey secret of the run; empty when the store does not hold it
 */
record RunSpec(
        String incarnation,
        int minNodes,
        int maxNodes,
        String policy,
        String runtime,
        String tls,
        int maxRestarts,
        byte[] runKey) {

    /**
     * Where an agent's wishes differ from the run's, one line each; empty when it may join. The numbers of nodes may be
     * those that the run was started with, or those that it was scaled to: whoever starts agents may know either.
     */
    List<String> differences(RendezvousConfig config, Target target) {
        List<String> differences = new ArrayList<>();
        String nnodes = config.minNodes() + ":" + config.maxNodes();
        String expected = minNodes + ":" + maxNodes;
        if (!nnodes.equals(target.text()) && !nnodes.equals(expected)) {
            String scaled = target.text().equals(expected) ? "" : ", or " + target.text() + ", to which it was scaled";
            differences.add("--nnodes: " + nnodes + " (expected: " + expected + ", with which run " + config.runId()
                    + " was started" + scaled + ")");
        }
        addDifference(differences, "--restart-policy", config.policy(), policy, config.runId());
        addDifference(differences, "--runtime", config.runtime(), runtime, config.runId());
        addDifference(differences, "--tls", config.tls(), tls, config.runId());
        return differences;
    }

    private static void addDifference(
            List<String> differences, String name, String actual, String expected, String runId) {
        if (!actual.equals(expected)) {
            differences.add(
                    name + ": " + actual + " (expected: " + expected + ", with which run " + runId + " was started)");
        }
    }
}
