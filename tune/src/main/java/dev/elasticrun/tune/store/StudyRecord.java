/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.store;

import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.worker.contract.TrialFiles;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One key of a study's trial, read. */
public sealed interface StudyRecord {
    int trial();

    record Begun(int trial, Map<String, Object> parameters) implements StudyRecord {}

    record Reported(int trial, List<TrialFiles.Report> reports) implements StudyRecord {}

    /** How far the trial may go, as its agents were told. */
    record Controlled(int trial, TrialFiles.Control control) implements StudyRecord {}

    /** @param failure empty = none */
    record AgentEnded(int trial, String agent, String failure) implements StudyRecord {}

    /** @param failure empty = none */
    record Ended(int trial, String failure) implements StudyRecord {}

    /** Empty if it is no key of a trial. */
    static Optional<StudyRecord> of(StudyKeys keys, KeyValue entry) {
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
