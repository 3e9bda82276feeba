/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.Incidents;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Events as agents write them, of hosts whose clocks agree. Guarded by its user. */
final class SimulatedEvents {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final List<LoggedEvent> events = new ArrayList<>();

    /**
     * @param round the newest that the node knows
     * @param incident that led to it
     * @param more names and values of further fields
     */
    void add(String node, long round, long incident, long millis, String kind, Object... more) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("incarnation", "one");
        event.put("node", node);
        event.put("round", round);
        event.put("incident", incident);
        event.put("nanos", millis * NANOS_PER_MILLI);
        event.put("time", Instant.ofEpochMilli(millis).toString());
        event.put("kind", kind);
        for (int i = 0; i < more.length; i += 2) {
            event.put((String) more[i], more[i + 1]);
        }
        events.add(LoggedEvent.parse(JSON.valueToTree(event).toString()).orElseThrow());
    }

    List<IncidentReport> incidents() {
        return Incidents.of(events);
    }
}
