/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.logs.EventLog;
import dev.elasticrun.agent.trail.Sighting;
import dev.elasticrun.rendezvous.Participant;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.restart.CauseFields;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What goes into {@code events.jsonl}, and under which round and incident; what of it is on the console. */
final class AgentJournal {
    private static final Logger LOG = LoggerFactory.getLogger(AgentJournal.class);

    private final EventLog events;
    private final IncidentNews news;
    private final AgentObserver observer;

    AgentJournal(EventLog events, IncidentNews news, AgentObserver observer) {
        this.events = events;
        this.news = news;
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
        news.see(Sighting.of(kind, round == null ? 0 : round.number(), System.nanoTime(), fields), round)
                .ifPresent(AgentJournal::show);
    }

    private static void show(IncidentNews.Line line) {
        if (line.isWarning()) {
            LOG.warn("{}", line.text());
        } else {
            LOG.info("{}", line.text());
        }
    }

    long dropped() {
        return events.dropped();
    }

    void decided(Round decided) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("cause", decided.cause());
        fields.put("causes", CauseFields.of(decided.causes()));
        fields.put("next_round", decided.number());
        fields.put("suspended", decided.suspended());
        record("incident.detected", decided, fields);
    }

    void published(Round round) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("cause", round.cause());
        fields.put("causes", CauseFields.of(round.causes()));
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
