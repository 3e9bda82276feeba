/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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

    /**
     * One of all runs of a store.
     *
     * @param verdict null = it has not ended
     */
    public record Listed(RunDescription run, @Nullable Verdict verdict) {}

    /**
     * Reads only, all keys of all runs at once; in the order of their names. A run whose keys are being removed may be
     * missing.
     */
    public static CompletableFuture<List<Listed>> all(RendezvousStore store) {
        return store.range(RunKeys.ofAllRuns()).thenApply(read -> {
            Map<String, List<KeyValue>> runs = new TreeMap<>();
            read.entries().forEach(entry -> runs.computeIfAbsent(RunKeys.runOf(entry.key()), run -> new ArrayList<>())
                    .add(entry));
            List<Listed> listed = new ArrayList<>();
            runs.forEach((run, entries) -> listed(run, entries).ifPresent(listed::add));
            return listed;
        });
    }

    private static Optional<Listed> listed(String runId, List<KeyValue> all) {
        RunKeys keys = RunKeys.of(runId);
        Verdict verdict = entry(keys.verdict(), all).map(StoredRecord::verdict).orElse(null);
        return entry(keys.spec(), all)
                .map(StoredRecord::spec)
                .map(spec -> new Listed(RunDescription.of(runId, spec, all, RunDescription.Known.NOTHING), verdict));
    }

    private static Optional<KeyValue> entry(String key, List<KeyValue> all) {
        return all.stream().filter(entry -> entry.key().equals(key)).findFirst();
    }

    /** Reads only; empty when there is no such run. */
    public static CompletableFuture<Optional<Found>> find(RendezvousStore store, String runId) {
        RunKeys keys = RunKeys.of(runId);
        return store.commit(new Transaction(List.of(), keys.described(), List.of()))
                .thenApply(read -> found(runId, keys, read.entries()));
    }

    private static Optional<Found> found(String runId, RunKeys keys, List<KeyValue> all) {
        return entry(keys.spec(), all)
                .map(StoredRecord::spec)
                .map(spec -> new Found(
                        RunDescription.of(runId, spec, all, RunDescription.Known.NOTHING),
                        spec.runKey(),
                        key -> spec.isKey(key, runId)));
    }
}
