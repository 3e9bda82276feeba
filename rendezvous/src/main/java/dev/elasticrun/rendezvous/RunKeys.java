/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import java.util.ArrayList;
import java.util.List;

/** Names of a run's keys. */
record RunKeys(String prefix) {

    static RunKeys of(String runId) {
        return new RunKeys("/elastic-run/v1/" + runId + "/");
    }

    KeyRange all() {
        return KeyRange.prefix(prefix);
    }

    String spec() {
        return prefix + "spec";
    }

    /** Written with every registration, so that whoever removes a run's keys notices one that came meanwhile. */
    String admission() {
        return prefix + "admission";
    }

    /** The newest checkpoint that the run is known to have completed: a {@link RunVersion}. */
    String checkpoint() {
        return prefix + "checkpoint";
    }

    String coordinator() {
        return prefix + "coordinator";
    }

    String round() {
        return prefix + "round";
    }

    /** Below it, the run's commands by number. */
    String commands() {
        return prefix + "commands/";
    }

    String command(long number) {
        return commands() + number;
    }

    /** How many nodes the run is to have, once it was scaled. */
    String target() {
        return prefix + "target";
    }

    String verdict() {
        return prefix + "verdict";
    }

    /** While it is there, the verdict binds agents that come late, though no node of the run lives any more. */
    String binding() {
        return prefix + "verdict-binds";
    }

    String incident(long number) {
        return prefix + "incidents/" + number;
    }

    String nodes() {
        return prefix + "nodes/";
    }

    String node(String nodeId) {
        return nodes() + nodeId;
    }

    String nodeId(String nodeKey) {
        return nodeKey.substring(nodes().length());
    }

    /** Reads what a coordinator goes on from. */
    List<Operation> ofCoordinator() {
        return reads(List.of(coordinator(), round(), target(), verdict()));
    }

    /** Reads what a coordinator begins with: {@link #ofCoordinator}, then all nodes, then all commands. */
    List<Operation> ofElected() {
        List<Operation> reads = new ArrayList<>(ofCoordinator());
        reads.add(new Operation.Get(KeyRange.prefix(nodes())));
        reads.add(new Operation.Get(KeyRange.prefix(commands())));
        return reads;
    }

    /** Reads what a run is described by; not its history, which can be long. */
    List<Operation> described() {
        List<Operation> reads = new ArrayList<>(reads(List.of(coordinator(), round(), spec(), target())));
        reads.add(new Operation.Get(KeyRange.prefix(nodes())));
        return reads;
    }

    private static List<Operation> reads(List<String> names) {
        return names.stream()
                .<Operation>map(name -> new Operation.Get(KeyRange.key(name)))
                .toList();
    }

    /** All keys before {@code nodes/}. */
    KeyRange beforeNodes() {
        return new KeyRange(prefix, nodes());
    }

    /** All keys behind {@code nodes/}. */
    KeyRange afterNodes() {
        return new KeyRange(KeyRange.prefix(nodes()).to(), all().to());
    }
}
