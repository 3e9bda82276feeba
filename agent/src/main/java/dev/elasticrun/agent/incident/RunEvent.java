/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.CauseFields;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One line of an agent's {@code events.jsonl}.
 *
 * @param round the newest that the agent knew; 0 = none
 * @param incident that led to that round; 0 = none
 * @param nanos monotonic clock of the agent's host
 * @param time wall clock, for people
 * @param json the whole line
 */
public record RunEvent(String node, long round, long incident, long nanos, Instant time, String kind, JsonNode json) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<Map<String, Object>> FIELDS = new TypeReference<>() {};
    /** Fields that have a component of their own, or that no report is made of. */
    private static final Set<String> FIXED =
            Set.of("run", "node", "round", "incident", "nanos", "time", "kind", "stack", "request", "from");

    private static final int MAX_TEXT = 4096;
    private static final int MAX_TEXTS = 4096;
    /** Of fields within fields: a list of causes, each with lists of nodes. */
    private static final int MAX_DEPTH = 3;

    /** Empty when it is no event: the last line of an agent that was killed may be half a line. */
    public static Optional<RunEvent> parse(String line) {
        try {
            JsonNode json = MAPPER.readTree(line);
            String kind = json.path("kind").asText();
            return kind.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new RunEvent(
                            json.path("node").asText(),
                            json.path("round").asLong(),
                            json.path("incident").asLong(),
                            json.path("nanos").asLong(),
                            Instant.parse(json.path("time").asText()),
                            kind,
                            json));
        } catch (JsonProcessingException | DateTimeParseException damaged) {
            return Optional.empty();
        }
    }

    /** Of whole lines; what is no event is left out. */
    public static List<RunEvent> parseAll(String lines) {
        return lines.lines().map(RunEvent::parse).flatMap(Optional::stream).toList();
    }

    /** Those of nodes of this incarnation; what an agent says before it has joined belongs to it, too. */
    public static List<RunEvent> ofIncarnation(String incarnation, Collection<RunEvent> all) {
        Set<String> nodes = all.stream()
                .filter(event -> event.text("incarnation").equals(incarnation))
                .map(RunEvent::node)
                .collect(Collectors.toSet());
        return all.stream().filter(event -> nodes.contains(event.node())).toList();
    }

    /**
     * With what reports of incidents are made of, in a fifth of the memory.
     *
     * @param texts that were met before: the same is kept once
     */
    RunEvent slim(Map<String, String> texts) {
        ObjectNode kept = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : json.properties()) {
            if (!FIXED.contains(field.getKey()) && !field.getValue().isNull()) {
                kept.set(once(texts, field.getKey()), slim(texts, field.getValue(), 0));
            }
        }
        return new RunEvent(once(texts, node), round, incident, nanos, time, once(texts, kind), kept);
    }

    private static JsonNode slim(Map<String, String> texts, JsonNode value, int depth) {
        if (value.isTextual()) {
            String text = value.textValue();
            return TextNode.valueOf(once(texts, text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT)));
        }
        if (value.isArray() && depth < MAX_DEPTH) {
            ArrayNode kept = JsonNodeFactory.instance.arrayNode(value.size());
            value.forEach(one -> kept.add(slim(texts, one, depth + 1)));
            return kept;
        } else if (value.isObject() && depth < MAX_DEPTH) {
            ObjectNode kept = JsonNodeFactory.instance.objectNode();
            value.properties()
                    .forEach(field -> kept.set(once(texts, field.getKey()), slim(texts, field.getValue(), depth + 1)));
            return kept;
        }
        return value.isValueNode() ? value : NullNode.instance;
    }

    private static String once(Map<String, String> texts, String text) {
        if (texts.size() >= MAX_TEXTS) {
            texts.clear();
        }
        String known = texts.putIfAbsent(text, text);
        return known == null ? text : known;
    }

    public boolean is(String expected) {
        return kind.equals(expected);
    }

    boolean has(String field) {
        return json.hasNonNull(field);
    }

    /** -1 when it is not there. */
    public long number(String field) {
        return json.path(field).asLong(-1);
    }

    /** Empty when it is not there. */
    public String text(String field) {
        return json.path(field).asText("");
    }

    public boolean flag(String field) {
        return json.path(field).asBoolean();
    }

    /** Of a round, and of the end of a run. Those of a kind that this version does not know are left out. */
    List<Cause> causes() {
        List<Cause> causes = new ArrayList<>();
        for (JsonNode cause : json.path("causes")) {
            if (cause.isObject()) {
                CauseFields.parse(MAPPER.convertValue(cause, FIELDS)).ifPresent(causes::add);
            }
        }
        return causes;
    }

    List<String> texts(String field) {
        List<String> all = new ArrayList<>();
        json.path(field).forEach(one -> all.add(one.asText()));
        return all;
    }

    /** When it happened, on the clock of the node's host: the worker's own word if it has one. */
    long workerNanos() {
        long told = number("worker_nanos");
        return told > 0 ? told : nanos;
    }
}
