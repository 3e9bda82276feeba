/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.codec;

import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import java.util.ArrayList;
import java.util.List;

/** Names of a run's keys. */
public record RunKeys(String prefix) {
    private static final String RUNS = "/elastic-run/v1/";

    public static RunKeys of(String runId) {
        return new RunKeys(RUNS + runId + "/");
    }

    /** All keys of all runs. */
    public static KeyRange ofAllRuns() {
        return KeyRange.prefix(RUNS);
    }

    /** The run to which a key belongs. */
    public static String runOf(String key) {
        int end = key.indexOf('/', RUNS.length());
        return key.substring(RUNS.length(), end < 0 ? key.length() : end);
    }

    public KeyRange all() {
        return KeyRange.prefix(prefix);
    }

    public String spec() {
        return prefix + "spec";
    }

    /** Written with every registration, so that an agent that removes a run's keys notices a registration meanwhile. */
    public String admission() {
        return prefix + "admission";
    }

    /** The newest checkpoint that the run is known to have completed: a {@link RunVersion}. */
    public String checkpoint() {
        return prefix + "checkpoint";
    }

    public String coordinator() {
        return prefix + "coordinator";
    }

    public String round() {
        return prefix + "round";
    }

    /** Below it, the run's commands by number. */
    public String commands() {
        return prefix + "commands/";
    }

    public String command(long number) {
        return commands() + number;
    }

    /** How many nodes the run is to have, once it was scaled. */
    public String target() {
        return prefix + "target";
    }

    public String verdict() {
        return prefix + "verdict";
    }

    /** While it is there, the verdict binds agents that come late, though no node of the run lives any more. */
    public String binding() {
        return prefix + "verdict-binds";
    }

    public String incident(long number) {
        return prefix + "incidents/" + number;
    }

    /** Below it, what workers handed over. Before {@link #nodes}: no agent watches them. */
    public String handed() {
        return prefix + "handed/";
    }

    public String handed(String nodeId, int slot) {
        return handed() + nodeId + "/" + slot;
    }

    public String nodes() {
        return prefix + "nodes/";
    }

    public String node(String nodeId) {
        return nodes() + nodeId;
    }

    /** Reads the records from which a coordinator continues. */
    public List<Operation> ofCoordinator() {
        return reads(List.of(coordinator(), round(), target(), verdict()));
    }

    /** Reads what a coordinator begins with: {@link #ofCoordinator}, then all nodes, then all commands. */
    public List<Operation> ofElected() {
        List<Operation> reads = new ArrayList<>(ofCoordinator());
        reads.add(new Operation.Get(KeyRange.prefix(nodes())));
        reads.add(new Operation.Get(KeyRange.prefix(commands())));
        return reads;
    }

    /** Reads what a run is described by; not its history, which can be long. */
    public List<Operation> described() {
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
    public KeyRange beforeNodes() {
        return new KeyRange(prefix, nodes());
    }

    /** All keys behind {@code nodes/}. */
    public KeyRange afterNodes() {
        return new KeyRange(KeyRange.prefix(nodes()).to(), all().to());
    }
}
