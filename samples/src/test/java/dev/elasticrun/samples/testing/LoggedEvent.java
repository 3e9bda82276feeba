/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.events.EventFields;
import dev.elasticrun.agent.events.RunEvent;
import java.util.Map;

/**
 * One line of an agent's event log.
 *
 * @param nanos CLOCK_MONOTONIC, the clock of {@link System#nanoTime()} on the same host
 * @param kind for instance {@code round.sealed}
 * @param round the round it belongs to; 0 = none
 * @param fields the whole line
 * @param event what the line states
 */
public record LoggedEvent(long nanos, String kind, long round, JsonNode fields, RunEvent event) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<Map<String, Object>> FIELDS = new TypeReference<>() {};

    public static LoggedEvent parse(String line) {
        try {
            JsonNode fields = JSON.readTree(line);
            String kind = fields.path("kind").asText();
            return new LoggedEvent(
                    fields.path("nanos").asLong(),
                    kind,
                    fields.path("round").asLong(),
                    fields,
                    EventFields.parse(kind, JSON.convertValue(fields, FIELDS)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("event log line: " + line + " (expected: one JSON object)", e);
        }
    }

    public boolean is(String expected) {
        return kind.equals(expected);
    }

    /** The number in a further field; -1 when the field is not there. */
    public long number(String field) {
        return fields.path(field).asLong(-1);
    }

    /** The text of a further field; empty when it is not there. */
    public String text(String field) {
        return fields.path(field).asText();
    }
}
