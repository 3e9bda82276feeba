/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.driver;

import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.tune.store.StudyKeys;
import dev.elasticrun.tune.study.StudyConfig;
import dev.elasticrun.tune.trial.TrialTable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** What others than its driver can do about a study: look at it, and end it. */
public final class StudyReader {
    private StudyReader() {}

    /**
     * What the store has of a study. Blocks.
     *
     * @return empty = there is none of that name
     * @throws CompletionException if the store does not answer
     */
    public static Optional<TrialTable> read(StudyConfig config, RendezvousStore store) {
        StudyKeys keys = StudyKeys.of(config.name());
        List<KeyValue> entries = store.range(keys.all()).join().entries();
        if (entries.stream().noneMatch(entry -> entry.key().equals(keys.definition()))) {
            return Optional.empty();
        }
        StudyState state = new StudyState(keys, new TrialTable(config.objective(), config.rule()));
        state.load(entries);
        return Optional.of(state.table());
    }

    /**
     * Has a study end: no trial begins any more, and agents leave those that run. Blocks until that is in the store.
     *
     * @throws CompletionException if the store does not answer
     */
    public static void stop(String study, RendezvousStore store) {
        store.commit(new Transaction(
                        List.of(), List.of(new Operation.Put(StudyKeys.of(study).stop(), new byte[0], 0)), List.of()))
                .join();
    }
}
