/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.driver;

import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.tune.store.StudyKeys;
import dev.elasticrun.tune.store.StudyRecord;
import dev.elasticrun.tune.trial.PoolTimeline;
import dev.elasticrun.tune.trial.Trial;
import dev.elasticrun.tune.trial.TrialTable;
import dev.elasticrun.worker.contract.TrialFiles;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is in the store about the trials of a study, in the order in which it came there. Pure: the same keys give the same
 * state, also in another process.
 */
final class StudyState {
    private final StudyKeys keys;
    private final TrialTable table;
    private final Map<Integer, TrialFiles.Control> written = new HashMap<>();
    /** Failures by trial and agent; empty = none. */
    private final Map<Integer, Map<String, String>> ends = new HashMap<>();

    StudyState(StudyKeys keys, TrialTable table) {
        this.keys = keys;
        this.table = table;
    }

    TrialTable table() {
        return table;
    }

    /** All keys at once, when the driver starts. Results come last, whatever the order of the keys. */
    void load(List<KeyValue> entries) {
        entries.stream()
                .sorted(Comparator.comparingLong(KeyValue::createRevision))
                .forEach(this::apply);
    }

    void apply(KeyValue entry) {
        StudyRecord.of(keys, entry).ifPresent(this::apply);
    }

    private void apply(StudyRecord one) {
        if (one instanceof StudyRecord.Begun begun) {
            table.begin(begun.trial(), begun.parameters());
        } else if (one instanceof StudyRecord.Reported reported) {
            reported.reports().forEach(report -> table.report(reported.trial(), report));
        } else if (one instanceof StudyRecord.Controlled controlled) {
            written.put(controlled.trial(), controlled.control());
        } else if (one instanceof StudyRecord.AgentEnded ended) {
            ends.computeIfAbsent(ended.trial(), ignored -> new TreeMap<>()).put(ended.agent(), ended.failure());
        } else if (one instanceof StudyRecord.Ended ended) {
            table.end(ended.trial(), failure(ended.failure()));
        } else if (one instanceof StudyRecord.PoolChanged changed) {
            table.pool().put(changed.number(), new PoolTimeline.Moment(changed.at(), changed.agents()));
        }
    }

    private static Optional<String> failure(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /** Whether its agents do not know yet how far a trial may go. */
    boolean isToBeControlled(Trial trial) {
        return trial.isRunning() && !trial.control().equals(written.get(trial.number()));
    }

    /**
     * How the run of a trial has ended: the failure, empty if there is none.
     *
     * @param agents live ones that work for it
     * @return empty while one of them has not reported the end
     */
    Optional<String> end(int trial, List<String> agents) {
        Map<String, String> known = ends.getOrDefault(trial, Map.of());
        if (known.isEmpty() || !known.keySet().containsAll(agents)) {
            return Optional.empty();
        }
        return known.containsValue("")
                ? Optional.of("")
                : known.values().stream().map(Objects::requireNonNull).findFirst();
    }
}
