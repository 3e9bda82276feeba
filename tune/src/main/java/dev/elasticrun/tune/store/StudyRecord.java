/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.store;

import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.worker.contract.TrialFiles;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** One key of a study's trials, or of its pool, read. */
public sealed interface StudyRecord {
    record Begun(int trial, Map<String, Object> parameters) implements StudyRecord {}

    record Reported(int trial, List<TrialFiles.Report> reports) implements StudyRecord {}

    /** How far the trial may go, as its agents received it. */
    record Controlled(int trial, TrialFiles.Control control) implements StudyRecord {}

    /** @param failure empty = none */
    record AgentEnded(int trial, String agent, String failure) implements StudyRecord {}

    /** @param failure empty = none */
    record Ended(int trial, String failure) implements StudyRecord {}

    /**
     * @param number of the change, from 1
     * @param agents live ones, and the trial that each works for; 0 = none
     */
    record PoolChanged(int number, Instant at, SortedMap<String, Integer> agents) implements StudyRecord {}

    /** Empty if it is another key. */
    static Optional<StudyRecord> of(StudyKeys keys, KeyValue entry) {
        if (keys.isOfPool(entry.key())) {
            return Optional.of(StudyCodec.pool(keys.poolNumber(entry.key()), entry.value()));
        }
        if (!keys.isOfTrial(entry.key())) {
            return Optional.empty();
        }
        StudyKeys.OfTrial key = keys.parse(entry.key());
        byte[] value = entry.value();
        return Optional.of(
                switch (key.part()) {
                    case PARAMETERS -> new Begun(key.trial(), StudyCodec.parameters(value));
                    case REPORTS -> new Reported(key.trial(), StudyCodec.reports(value));
                    case CONTROL -> new Controlled(key.trial(), TrialFiles.Control.parse(value));
                    case ENDS -> new AgentEnded(key.trial(), key.rest(), StudyCodec.end(value));
                    case RESULT -> new Ended(key.trial(), StudyCodec.end(value));
                });
    }
}
