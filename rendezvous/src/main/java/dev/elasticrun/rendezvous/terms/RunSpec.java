/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.terms;

import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * What the first agent fixed for all.
 *
 * @param incarnation random id of this start of the run
 * @param runKey secret of the run; empty when the store does not hold it
 * @param keyProof identifies the run's key, see {@link KeyProof}; empty = none
 * @param lease that the run's keys are bound to, which members renew; 0 = none; no part of the encoded record
 */
public record RunSpec(String incarnation, RunTerms terms, byte[] runKey, byte[] keyProof, long lease) {

    public RunSpec withLease(long leaseId) {
        return new RunSpec(incarnation, terms, runKey, keyProof, leaseId);
    }

    public boolean isKey(byte[] key, String runId) {
        return MessageDigest.isEqual(KeyProof.of(key, runId, incarnation, terms.tls()), keyProof);
    }

    /**
     * Where an agent's wishes differ from the run's, one line each; empty when it may join. The numbers of nodes may be
     * those that the run was started with, or those that it was scaled to: a later agent may be started with either.
     */
    public List<String> differences(RendezvousConfig config, NodeBounds target) {
        List<String> differences = new ArrayList<>();
        RunTerms wanted = config.terms();
        String nnodes = wanted.nodes().text();
        String expected = terms.nodes().text();
        if (!nnodes.equals(target.text()) && !nnodes.equals(expected)) {
            String scaled = target.text().equals(expected) ? "" : ", or " + target.text() + ", to which it was scaled";
            differences.add("--nnodes: " + nnodes + " (expected: " + expected + ", with which run " + config.runId()
                    + " was started" + scaled + ")");
        }
        addDifference(differences, "--restart-policy", wanted.policy(), terms.policy(), config.runId());
        addDifference(differences, "--runtime", wanted.runtime(), terms.runtime(), config.runId());
        addDifference(differences, "--tls", wanted.tls(), terms.tls(), config.runId());
        addDifference(differences, wanted.locals(), terms.locals(), config.runId());
        byte[] given = config.runKey().given();
        if (given != null && !isKey(given, config.runId())) {
            differences.add("--run-key-file: another key (expected: "
                    + (runKey.length > 0 ? "none, as the store holds the one of run " : "the file with the key of run ")
                    + config.runId() + ", with which it was started)");
        }
        return differences;
    }

    private static void addDifference(
            List<String> differences, String name, String actual, String expected, String runId) {
        if (!actual.equals(expected)) {
            differences.add(
                    name + ": " + actual + " (expected: " + expected + ", with which run " + runId + " was started)");
        }
    }

    private static void addDifference(
            List<String> differences, LocalProtection actual, LocalProtection expected, String runId) {
        if (!actual.equals(expected)) {
            differences.add(actual.flag() + ": " + actual.value() + " (expected: " + expected.flag() + " "
                    + expected.value() + " on all nodes, with which run " + runId + " was started)");
        }
    }
}
