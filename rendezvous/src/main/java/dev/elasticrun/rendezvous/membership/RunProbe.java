/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.TransactionResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the few keys that show the state of a run, at one revision, for an agent that joins or leaves; the cost does
 * not depend on the number of nodes.
 */
final class RunProbe {
    private final RunKeys keys;
    private final TreeMap<String, KeyValue> entries = new TreeMap<>();

    private RunProbe(RunKeys keys, List<KeyValues> reads) {
        this.keys = keys;
        reads.forEach(read -> read.entries().forEach(entry -> entries.put(entry.key(), entry)));
    }

    /** Looks at the store; looks for nodes only if there is a run but no coordinator, whose key goes with its node. */
    static CompletableFuture<RunProbe> at(RendezvousStore store, RunKeys keys, String nodeId) {
        return store.commit(new Transaction(List.of(), reads(keys, nodeId), List.of()))
                .thenCompose(found -> of(store, keys, nodeId, found.reads()));
    }

    /** The reads of a transaction that make up a probe. */
    static List<Operation> reads(RunKeys keys, String nodeId) {
        return Stream.of(
                        keys.admission(),
                        keys.coordinator(),
                        keys.spec(),
                        keys.target(),
                        keys.verdict(),
                        keys.binding(),
                        keys.node(nodeId))
                .<Operation>map(key -> new Operation.Get(KeyRange.key(key)))
                .toList();
    }

    /**
     * Completes a probe from the reads of a transaction.
     *
     * @param found the answers to {@link #reads}
     */
    static CompletableFuture<RunProbe> of(RendezvousStore store, RunKeys keys, String nodeId, List<KeyValues> found) {
        RunProbe glance = new RunProbe(keys, found);
        boolean remains = glance.spec() != null || glance.verdict() != null;
        if (!remains || glance.anyNode()) {
            return CompletableFuture.completedFuture(glance);
        }
        List<Operation> more = new ArrayList<>(reads(keys, nodeId));
        more.add(new Operation.Get(KeyRange.prefix(keys.nodes()), 1, 0, true));
        return store.commit(new Transaction(List.of(), more, List.of()))
                .thenApply(TransactionResult::reads)
                .thenApply(all -> new RunProbe(keys, all));
    }

    @Nullable
    KeyValue spec() {
        return entries.get(keys.spec());
    }

    /** That the run's keys are bound to; 0 = none. */
    long runLease() {
        KeyValue spec = spec();
        return spec == null ? 0 : spec.leaseId();
    }

    /** Only once the run was scaled. */
    @Nullable
    KeyValue target() {
        return entries.get(keys.target());
    }

    @Nullable
    KeyValue verdict() {
        return entries.get(keys.verdict());
    }

    @Nullable
    KeyValue admission() {
        return entries.get(keys.admission());
    }

    /** The node that coordinates; empty when none does. */
    Optional<String> coordinator() {
        return Optional.ofNullable(entries.get(keys.coordinator()))
                .map(entry -> new String(entry.value(), StandardCharsets.UTF_8));
    }

    boolean verdictBinds() {
        return entries.containsKey(keys.binding());
    }

    /** Without its value, maybe. */
    @Nullable
    KeyValue node(String nodeId) {
        return entries.get(keys.node(nodeId));
    }

    boolean anyNode() {
        String first = entries.ceilingKey(keys.nodes());
        return entries.containsKey(keys.coordinator()) || (first != null && first.startsWith(keys.nodes()));
    }
}
