/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import dev.elasticrun.rendezvous.codec.ResultCodec;
import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.record.HandedResult;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Guard;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.TransactionResult;
import dev.elasticrun.rendezvous.view.RunStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * What workers hand over when they end, a key for each worker: it is in the store before its node is done. Futures
 * complete on threads of the store.
 */
public final class HandedResults {
    /** Read at a time: a few MiB at most. */
    private static final int PAGE = 32;

    private final RendezvousStore store;
    private final RunKeys keys;

    public HandedResults(RunStore run) {
        this.store = run.store();
        this.keys = run.keys();
    }

    /**
     * Stores what the worker in a slot of a node handed over. False when the node is not registered as it was: then
     * nothing was written.
     *
     * @param createRevision of the node's key: nothing is written once the last node has cleaned up
     * @param runLease that what belongs to the run is bound to
     */
    public CompletableFuture<Boolean> write(
            String nodeId, long createRevision, int slot, HandedResult result, String incarnation, long runLease) {
        return store.commit(new Transaction(
                        List.of(new Guard.CreateRevision(keys.node(nodeId), createRevision)),
                        List.of(new Operation.Put(
                                keys.handed(nodeId, slot), ResultCodec.encode(result, incarnation), runLease)),
                        List.of()))
                .thenApply(TransactionResult::succeeded);
    }

    /** By rank, of the workers of the newest round; those that handed over nothing are missing. */
    public CompletableFuture<SortedMap<Integer, HandedResult>> read() {
        return store.range(KeyRange.key(keys.round())).thenCompose(found -> {
            if (found.entries().isEmpty()) {
                return CompletableFuture.completedFuture(new TreeMap<>());
            }
            Round newest = StoredRecord.round(found.entries().get(0));
            return page(KeyRange.prefix(keys.handed()), new HashMap<>()).thenApply(all -> byRank(newest, all));
        });
    }

    private CompletableFuture<Map<String, HandedResult>> page(KeyRange range, Map<String, HandedResult> before) {
        return store.commit(new Transaction(List.of(), List.of(new Operation.Get(range, PAGE, 0, false)), List.of()))
                .thenCompose(read -> {
                    List<KeyValue> entries = read.reads().stream()
                            .map(KeyValues::entries)
                            .flatMap(List::stream)
                            .toList();
                    entries.forEach(entry -> before.put(entry.key(), StoredRecord.result(entry)));
                    return entries.size() < PAGE
                            ? CompletableFuture.completedFuture(before)
                            : page(new KeyRange(entries.get(PAGE - 1).key() + '\0', range.to()), before);
                });
    }

    // A worker of another attempt had the place before, and something happened after it had ended.
    private SortedMap<Integer, HandedResult> byRank(Round newest, Map<String, HandedResult> all) {
        SortedMap<Integer, HandedResult> ranks = new TreeMap<>();
        for (Participant node : newest.participants()) {
            for (int rank = node.firstRank(); rank < node.endRank(); rank++) {
                Participant.Seat seat = node.seatOf(rank);
                HandedResult result = all.get(keys.handed(node.nodeId(), seat.slot()));
                if (result != null && result.attempt() == seat.attempt()) {
                    ranks.put(rank, result);
                }
            }
        }
        return ranks;
    }
}
