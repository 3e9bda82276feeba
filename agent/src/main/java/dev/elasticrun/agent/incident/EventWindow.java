/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.events.LoggedEvent;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The events of a run's newest incidents, as many as there is room for: a run of months has more than fit into memory.
 * Each is kept without what reports are not made of. Owned by one thread.
 */
public final class EventWindow {
    // Limit per kind, node and incident: more events than a node has workers add no information.
    private static final int MAX_ALIKE = 512;
    // Limit of events before the first round: every node of the run writes a few.
    private static final int MAX_EARLY = 2048;

    private final int maxIncidents;
    private final int maxEvents;
    private final NavigableMap<Long, Bucket> incidents = new TreeMap<>();
    private final Deque<LoggedEvent> early = new ArrayDeque<>();
    private final Map<String, String> texts = new HashMap<>();
    private int size;
    private long dropped;
    /** Events of incidents up to this one are not kept. */
    private long floor;
    // The beginning of incidents up to this one is unknown; 0 = all are complete.
    private long known;

    private static final class Bucket {
        private final List<LoggedEvent> events = new ArrayList<>();
        private final Map<String, Integer> alike = new HashMap<>();
    }

    /**
     * @param maxIncidents whose events are kept
     * @param maxEvents kept in all; about half a kilobyte each
     */
    public EventWindow(int maxIncidents, int maxEvents) {
        this.maxIncidents = maxIncidents;
        this.maxEvents = maxEvents;
    }

    public void add(LoggedEvent event) {
        if (event.incident() <= 0) {
            early.addLast(event.slim(texts));
            if (early.size() > MAX_EARLY) {
                early.removeFirst();
                dropped++;
            }
            return;
        }
        if (event.incident() <= floor) {
            dropped++;
            return;
        }
        Bucket bucket = incidents.computeIfAbsent(event.incident(), unknown -> new Bucket());
        if (bucket.alike.merge(event.node() + " " + event.kind(), 1, Integer::sum) > MAX_ALIKE) {
            dropped++;
        } else {
            bucket.events.add(event.slim(texts));
            size++;
        }
        while (incidents.size() > maxIncidents || (size > maxEvents && incidents.size() > 2)) {
            dropOldest();
        }
        if (size > maxEvents) {
            bucket.events.remove(bucket.events.size() - 1);
            size--;
            dropped++;
        }
    }

    private void dropOldest() {
        Map.Entry<Long, Bucket> oldest = incidents.pollFirstEntry();
        floor = Math.max(floor, oldest.getKey());
        known = Math.max(known, floor + 1);
        size -= oldest.getValue().events.size();
        dropped += oldest.getValue().events.size();
    }

    /** For some node, events before this incident, and the beginning of the incident, are missing. */
    public void beginsIn(long incident) {
        floor = Math.max(floor, incident - 1);
        known = Math.max(known, incident);
        while (!incidents.isEmpty() && incidents.firstKey() <= floor) {
            dropOldest();
        }
    }

    /** Forgets all, as of another incarnation of the run. */
    public void clear() {
        incidents.clear();
        early.clear();
        texts.clear();
        size = 0;
        dropped = 0;
        floor = 0;
        known = 0;
    }

    /** How many are kept; those before the first round are counted, too. */
    public int size() {
        return size + early.size();
    }

    /** How many were not kept. */
    public long dropped() {
        return dropped;
    }

    /** Of incidents up to this one nothing is kept; 0 = all are there. */
    public long floor() {
        return floor;
    }

    /**
     * Since when incidents are known, by the wall clock of the host; empty = since the start of the run. Events that
     * were dropped here for lack of room count like events that are gone from the logs.
     */
    public Optional<Instant> knownSince() {
        Optional<Instant> logs = logsSince();
        return logs.isPresent() || known == 0
                ? logs
                : all().stream()
                        .filter(event -> event.incident() >= known)
                        .map(LoggedEvent::time)
                        .min(Instant::compareTo);
    }

    /** Since when the logs of all nodes are there; empty = since the start of the run. */
    public Optional<Instant> logsSince() {
        return Incidents.knownSince(all());
    }

    /** As {@link #reports(String)}, when all events are of one incarnation. */
    public List<IncidentReport> reports() {
        return known(Incidents.of(all()));
    }

    /**
     * Reports of this incarnation, in order. The oldest kept incident has no report when events before it were dropped,
     * because its beginning is not known.
     */
    public List<IncidentReport> reports(String incarnation) {
        return known(Incidents.of(LoggedEvent.ofIncarnation(incarnation, all())));
    }

    private List<LoggedEvent> all() {
        List<LoggedEvent> all = new ArrayList<>(early);
        incidents.values().forEach(bucket -> all.addAll(bucket.events));
        return all;
    }

    private List<IncidentReport> known(List<IncidentReport> reports) {
        return reports.stream()
                .filter(report -> report.number() > known || (report.isPause() && report.number() == known))
                .toList();
    }
}
