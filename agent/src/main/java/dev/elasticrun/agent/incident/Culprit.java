/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

/**
 * Who began an incident, or followed it.
 *
 * @param what the same word for the same thing: {@code worker_failed}, {@code node_lost}, {@code node_left}, {@code
 *     left_out}, {@code fenced}, {@code joined}, {@code command}
 * @param rank of the worker; -1 = it is a node, or has none
 * @param slot local rank of the worker; -1 = it is a node
 * @param pid of the worker's process; 0 = it is a node, or never started
 * @param exitCode of the worker; -1 = it had none
 * @param how one of {@link dev.elasticrun.rendezvous.FailureKind}, or how else it is known: {@code proved}, {@code lease}, {@code told}
 * @param evidence how we know, in words
 * @param followed whether it only followed from something else
 */
public record Culprit(
        String what,
        String node,
        int rank,
        int slot,
        int attempt,
        long pid,
        int exitCode,
        String how,
        String evidence,
        boolean followed) {

    static Culprit node(String what, String node, String how, String evidence) {
        return new Culprit(what, node, -1, -1, 0, 0, -1, how, evidence, false);
    }

    boolean isWorker() {
        return slot >= 0;
    }
}
