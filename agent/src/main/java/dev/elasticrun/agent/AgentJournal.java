/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.logs.EventLog;
import dev.elasticrun.rendezvous.Participant;
import dev.elasticrun.rendezvous.Round;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What goes into {@code events.jsonl}, and under which round and incident. */
final class AgentJournal {
    private final EventLog events;
    private final AgentObserver observer;

    AgentJournal(EventLog events, AgentObserver observer) {
        this.events = events;
        this.observer = observer;
    }

    void joined(String incarnation) {
        events.joined(incarnation);
    }

    /** @param round the newest round that the agent knows; null before the first */
    void record(String kind, @Nullable Round round, Map<String, ?> fields) {
        events.append(
                kind,
                round == null ? 0 : round.number(),
                round == null ? null : Long.toString(round.incident()),
                fields);
        observer.onEvent(kind, round, fields);
    }

    long dropped() {
        return events.dropped();
    }

    void decided(Round decided) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("cause", decided.cause());
        fields.put("next_round", decided.number());
        fields.put("suspended", decided.suspended());
        record("incident.detected", decided, fields);
    }

    void published(Round round) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("cause", round.cause());
        fields.put("world_size", round.worldSize());
        fields.put(
                "nodes", round.participants().stream().map(Participant::nodeId).toList());
        fields.put("budget_used", round.budgetUsed());
        record(round.suspended() ? "round.suspended" : "round.sealed", round, fields);
    }

    void close() {
        events.close();
    }
}
