/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.events;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One line of an agent's {@code events.jsonl}.
 *
 * @param incarnation of the run; empty before its agent had joined
 * @param line all fields; empty when only the event is kept
 */
public record LoggedEvent(Stamp stamp, String incarnation, RunEvent event, Map<String, Object> line) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<Map<String, Object>> FIELDS = new TypeReference<>() {};
    private static final int MAX_TEXT = 4096;
    private static final int MAX_TEXTS = 4096;

    /**
     * Where and when.
     *
     * @param round the newest that the agent knew; 0 = none
     * @param incident that led to that round; 0 = none
     * @param nanos monotonic clock of the agent's host
     * @param time wall clock, for display
     */
    public record Stamp(String node, long round, long incident, long nanos, Instant time) {}

    /** Empty when it is no event: the last line of an agent that was killed may be half a line. */
    public static Optional<LoggedEvent> parse(String line) {
        try {
            @Nullable Map<String, Object> fields = MAPPER.readValue(line, FIELDS);
            String kind = fields == null ? "" : text(fields, "kind");
            return fields == null || kind.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new LoggedEvent(
                            new Stamp(
                                    text(fields, "node"),
                                    number(fields, "round"),
                                    number(fields, "incident"),
                                    number(fields, "nanos"),
                                    Instant.parse(text(fields, "time"))),
                            text(fields, "incarnation"),
                            EventFields.parse(kind, fields),
                            fields));
        } catch (JsonProcessingException | DateTimeParseException damaged) {
            return Optional.empty();
        }
    }

    private static String text(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof String text ? text : "";
    }

    /** The incident is a text. */
    private static long number(Map<String, Object> fields, String name) {
        @Nullable Object value = fields.get(name);
        if (value instanceof Number number) {
            return number.longValue();
        }
        try {
            return value instanceof String text ? Long.parseLong(text) : 0;
        } catch (NumberFormatException damaged) {
            return 0;
        }
    }

    /** Of whole lines; what is no event is left out. */
    public static List<LoggedEvent> parseAll(String lines) {
        return lines.lines().map(LoggedEvent::parse).flatMap(Optional::stream).toList();
    }

    /** Those of nodes of this incarnation; what an agent writes before it has joined belongs to it, too. */
    public static List<LoggedEvent> ofIncarnation(String incarnation, Collection<LoggedEvent> all) {
        Set<String> nodes = all.stream()
                .filter(event -> event.incarnation().equals(incarnation))
                .map(LoggedEvent::node)
                .collect(Collectors.toSet());
        return all.stream().filter(event -> nodes.contains(event.node())).toList();
    }

    /**
     * With its event only, in a fifth of the memory.
     *
     * @param texts that were met before: the same is kept once
     */
    public LoggedEvent slim(Map<String, String> texts) {
        Stamp once = new Stamp(once(texts, node()), round(), incident(), nanos(), time());
        return new LoggedEvent(
                once, once(texts, incarnation), EventFields.withTexts(event, text -> once(texts, text)), Map.of());
    }

    private static String once(Map<String, String> texts, String text) {
        String cut = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
        if (texts.size() >= MAX_TEXTS) {
            texts.clear();
        }
        String known = texts.putIfAbsent(cut, cut);
        return known == null ? cut : known;
    }

    /** The whole line, as it was written. */
    public String json() {
        try {
            return MAPPER.writeValueAsString(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write " + line, e);
        }
    }

    public String node() {
        return stamp.node();
    }

    public long round() {
        return stamp.round();
    }

    public long incident() {
        return stamp.incident();
    }

    public long nanos() {
        return stamp.nanos();
    }

    public Instant time() {
        return stamp.time();
    }

    public String kind() {
        return event.kind();
    }

    public boolean is(Class<? extends RunEvent> type) {
        return type.isInstance(event);
    }

    /** Whether the event is of that type, and one that is meant. */
    public <E extends RunEvent> boolean is(Class<E> type, Predicate<E> isMeant) {
        return as(type).filter(isMeant).isPresent();
    }

    /** The event, if it is of that type. */
    public <E extends RunEvent> Optional<E> as(Class<E> type) {
        return type.isInstance(event) ? Optional.of(type.cast(event)) : Optional.empty();
    }

    /** When it happened, on the clock of the node's host; the worker's own time if it reported one. */
    public long workerNanos() {
        long worker = event instanceof RunEvent.WorkerResumed resumed
                ? resumed.workerNanos()
                : event instanceof RunEvent.PauseAcknowledged acknowledged ? acknowledged.workerNanos() : 0;
        return worker > 0 ? worker : nanos();
    }
}
