/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store;

import java.util.List;

/**
 * What a transaction did.
 *
 * @param succeeded whether all guards held
 * @param revision the store's revision afterwards
 * @param reads one entry per {@link Transaction.Operation.Get} of the list that was applied, in order
 */
public record TransactionResult(boolean succeeded, long revision, List<KeyValues> reads) {

    public TransactionResult {
        reads = List.copyOf(reads);
    }

    /** What was read, in the order in which it was asked for. */
    public List<KeyValue> entries() {
        return reads.stream().flatMap(read -> read.entries().stream()).toList();
    }
}
