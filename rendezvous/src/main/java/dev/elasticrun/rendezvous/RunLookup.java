/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Finds a run in its store, for a caller that is not part of it. */
public final class RunLookup {
    private RunLookup() {}

    /**
     * A run that is there.
     *
     * @param runKey its secret; empty when the store does not hold it
     * @param isKey accepts the run's key and no other
     */
    public record Found(RunDescription run, byte[] runKey, Predicate<byte[]> isKey) {}

    /** Reads only; empty when there is no such run. */
    public static CompletableFuture<Optional<Found>> find(RendezvousStore store, String runId) {
        RunKeys keys = RunKeys.of(runId);
        return store.commit(new Transaction(List.of(), keys.described(), List.of()))
                .thenApply(read -> found(runId, keys, read.entries()));
    }

    private static Optional<Found> found(String runId, RunKeys keys, List<KeyValue> all) {
        return all.stream()
                .filter(entry -> entry.key().equals(keys.spec()))
                .findFirst()
                .map(StoredRecord::spec)
                .map(spec -> new Found(
                        RunDescription.of(runId, spec, all, RunDescription.Known.NOTHING),
                        spec.runKey(),
                        key -> spec.isKey(key, runId)));
    }
}
