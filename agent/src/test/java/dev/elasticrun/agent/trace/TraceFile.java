/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A file in the trace event format of Chrome (JSON object form), read as a viewer does. */
public final class TraceFile {
    private final List<JsonNode> events = new ArrayList<>();
    private final Map<String, String> names = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();

    private TraceFile(JsonNode file) {
        file.path("traceEvents").forEach(events::add);
        if (events.isEmpty()) {
            problems.add("no traceEvents");
        }
        events.forEach(this::check);
        events.forEach(this::checkNamed);
        Set<String> known = new HashSet<>();
        names.forEach((track, name) -> {
            if (!known.add(process(track) + name)) {
                problems.add("two tracks of a process are called " + name);
            }
        });
        tracks().forEach(this::checkNesting);
    }

    public static TraceFile of(String json) {
        try {
            return new TraceFile(new ObjectMapper().readTree(json));
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + e.getMessage(), e);
        }
    }

    /** Where the file breaks the format, or a viewer would draw something wrong; empty = nowhere. */
    public List<String> problems() {
        return problems;
    }

    /** Names of events of that phase: X is a span, i an instant. */
    public Set<String> names(String phase) {
        return events.stream()
                .filter(event -> event.path("ph").asText().equals(phase))
                .map(event -> event.path("name").asText())
                .collect(Collectors.toSet());
    }

    /** Of threads, as PROCESS/THREAD, in the order of the viewer. */
    public List<String> trackNames() {
        Map<String, String> processes = new TreeMap<>();
        names.forEach((track, name) -> {
            if (track.endsWith("/0000")) {
                processes.put(process(track), name);
            }
        });
        return names.entrySet().stream()
                .filter(track -> !track.getKey().endsWith("/0000"))
                .map(track -> processes.get(process(track.getKey())) + "/" + track.getValue())
                .toList();
    }

    /** Names of spans that lie in one whose name begins so, in the order of time. */
    public List<String> spansIn(String beginning) {
        return tracks().values().stream()
                .flatMap(track -> track.stream()
                        .filter(span -> span.path("name").asText().startsWith(beginning))
                        .flatMap(outer -> track.stream()
                                .filter(span ->
                                        !span.equals(outer) && from(span) >= from(outer) && to(span) <= to(outer))))
                .map(span -> span.path("name").asText())
                .toList();
    }

    private void check(JsonNode event) {
        boolean whole = !event.path("name").asText().isEmpty()
                && event.path("pid").isInt()
                && event.path("tid").isInt()
                && event.path("ts").isIntegralNumber()
                && event.path("ts").asLong() >= 0;
        boolean rest =
                switch (event.path("ph").asText()) {
                    case "X" ->
                        event.path("dur").isIntegralNumber()
                                && event.path("dur").asLong() >= 0;
                    case "i" -> Set.of("g", "p", "t").contains(event.path("s").asText());
                    case "M" -> checkMetadata(event);
                    default -> false;
                };
        if (!whole || !rest) {
            problems.add("not in the format: " + event);
        }
    }

    private boolean checkMetadata(JsonNode event) {
        JsonNode value = event.path("args");
        return switch (event.path("name").asText()) {
            case "process_name", "thread_name" -> {
                boolean thread = event.path("name").asText().startsWith("thread");
                String name = value.path("name").asText();
                yield !name.isEmpty()
                        && names.put(thread ? track(event) : process(track(event)) + "/0000", name) == null;
            }
            case "process_sort_index", "thread_sort_index" ->
                value.path("sort_index").isInt();
            default -> false;
        };
    }

    private void checkNamed(JsonNode event) {
        boolean drawn = !event.path("ph").asText().equals("M");
        if (drawn && !(names.containsKey(track(event)) && names.containsKey(process(track(event)) + "/0000"))) {
            problems.add("on a track without a name: " + event);
        }
    }

    /** Spans of a thread lie behind each other or in each other. */
    private void checkNesting(String track, List<JsonNode> spans) {
        Deque<JsonNode> open = new ArrayDeque<>();
        for (JsonNode span : spans) {
            while (!open.isEmpty() && to(open.peek()) <= from(span)) {
                open.pop();
            }
            if (!open.isEmpty() && to(open.peek()) < to(span)) {
                problems.add("on track " + names.get(track) + " " + open.peek() + " overlaps " + span);
            }
            open.push(span);
        }
    }

    /** Outer spans before those in them. */
    private Map<String, List<JsonNode>> tracks() {
        return events.stream()
                .filter(event -> event.path("ph").asText().equals("X"))
                .sorted(Comparator.comparingLong(TraceFile::from)
                        .thenComparing(Comparator.comparingLong(TraceFile::to).reversed()))
                .collect(Collectors.groupingBy(TraceFile::track, TreeMap::new, Collectors.toList()));
    }

    private static long from(JsonNode span) {
        return span.path("ts").asLong();
    }

    private static long to(JsonNode span) {
        return from(span) + span.path("dur").asLong();
    }

    private static String track(JsonNode event) {
        return "%04d/%04d"
                .formatted(event.path("pid").asInt(), event.path("tid").asInt());
    }

    private static String process(String track) {
        return track.substring(0, track.indexOf('/'));
    }
}
