/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * One line of an agent's event log.
 *
 * @param nanos CLOCK_MONOTONIC, the clock of {@link System#nanoTime()} on the same host
 * @param kind for instance {@code round.sealed}
 * @param round the round it belongs to; 0 = none
 * @param fields the whole line
 */
public record LoggedEvent(long nanos, String kind, long round, JsonNode fields) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static LoggedEvent parse(String line) {
        try {
            JsonNode fields = JSON.readTree(line);
            return new LoggedEvent(
                    fields.path("nanos").asLong(),
                    fields.path("kind").asText(),
                    fields.path("round").asLong(),
                    fields);
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
