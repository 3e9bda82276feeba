/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.decisions;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.rendezvous.fields.NestedFields;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One line of a coordinator's {@code decisions.jsonl}: a call of its planner, with all that the plan depends on. Nothing
 * that workers wrote is in it but the messages of their failures, and no key or environment.
 */
public record DecisionLine(Stamp stamp, PlannerCall call) {
    /**
     * Of what this version writes and reads. 2: how the run protects local states. 4: failures and used restarts in what the
     * policy was asked.
     */
    public static final int SCHEMA = 4;

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<Map<String, Object>> FIELDS = new TypeReference<>() {};

    /**
     * Whose, and when; the same fields in each schema.
     *
     * @param schema of the line
     * @param incarnation of the run
     * @param node that coordinated
     * @param incident that the decision answers, from 1
     * @param time wall clock, for display
     */
    public record Stamp(int schema, String run, String incarnation, String node, long incident, Instant time) {
        /** Of a line that is written now. */
        public Stamp(String run, String incarnation, String node, long incident, Instant time) {
            this(SCHEMA, run, incarnation, node, incident, time);
        }
    }

    /** Takes what workers wrote out of it. */
    public String json() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("schema", stamp.schema());
        line.put("run", stamp.run());
        line.put("incarnation", stamp.incarnation());
        line.put("node", stamp.node());
        line.put("incident", stamp.incident());
        line.put("time", stamp.time().toString());
        line.putAll(NestedFields.of(call.withoutOutput()));
        try {
            return MAPPER.writeValueAsString(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write a decision of incident " + stamp.incident(), e);
        }
    }

    /** Empty when it is no decision of any schema: the last line of an agent that was killed may be half a line. */
    public static Optional<Stamp> stampOf(String line) {
        return fields(line).flatMap(DecisionLine::stamp);
    }

    /** @throws IllegalArgumentException when it is of another schema, or damaged */
    public static DecisionLine parse(String line) {
        Map<String, Object> fields = fields(line).orElseThrow(() -> new IllegalArgumentException("no JSON object"));
        Stamp stamp = stamp(fields).orElseThrow(() -> new IllegalArgumentException("no decision"));
        if (stamp.schema() != SCHEMA) {
            throw new IllegalArgumentException("schema " + stamp.schema() + " (expected: " + SCHEMA
                    + "; the version of elastic-run that wrote it can replay it)");
        }
        return new DecisionLine(
                stamp,
                NestedFields.parse(PlannerCall.class, fields)
                        .orElseThrow(() -> new IllegalArgumentException("a field is missing or has another type")));
    }

    private static Optional<Map<String, Object>> fields(String line) {
        try {
            @Nullable Map<String, Object> fields = MAPPER.readValue(line, FIELDS);
            return Optional.ofNullable(fields);
        } catch (JsonProcessingException damaged) {
            return Optional.empty();
        }
    }

    private static Optional<Stamp> stamp(Map<String, Object> fields) {
        if (!(fields.get("schema") instanceof Integer schema)
                || !(fields.get("incident") instanceof Number incident)
                || !(fields.get("time") instanceof String time)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Stamp(
                    schema,
                    text(fields, "run"),
                    text(fields, "incarnation"),
                    text(fields, "node"),
                    incident.longValue(),
                    Instant.parse(time)));
        } catch (DateTimeException damaged) {
            return Optional.empty();
        }
    }

    private static String text(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof String text ? text : "";
    }
}
