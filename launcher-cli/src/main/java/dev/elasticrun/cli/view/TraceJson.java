/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.IncidentText;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A run in the trace event format of Chrome, one event after the other: a process for each node with a thread for each of its
 * workers, and one for the run with its rounds, and its incidents and what each part of them took. Each node's times are
 * those of its host's monotonic clock, set to the wall clock as a whole. Pure.
 */
public final class TraceJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int RUN_PROCESS = 1;
    private static final int ROUNDS_THREAD = 1;
    private static final int INCIDENTS_THREAD = 2;
    private static final int NANOS_PER_MICRO = 1000;
    private static final String NODE_NAME = "process_name";
    private static final String THREAD_NAME = "thread_name";

    private final Map<String, Long> offsets;
    private final long startMicros;
    private final Consumer<ObjectNode> out;
    /** Its fields may still be added to: it is written when the next one begins. */
    private @Nullable ObjectNode newest;

    private TraceJson(List<LoggedEvent> events, Consumer<ObjectNode> out) {
        this.out = out;
        this.offsets = events.stream()
                .collect(Collectors.groupingBy(
                        LoggedEvent::node,
                        TreeMap::new,
                        Collectors.collectingAndThen(Collectors.toList(), TraceJson::offset)));
        this.startMicros = events.stream().mapToLong(this::absolute).min().orElse(0);
    }

    /** @param out receives one trace event after the other */
    public static void of(
            String run, List<LoggedEvent> events, List<IncidentReport> reports, Consumer<ObjectNode> out) {
        TraceJson trace = new TraceJson(events, out);
        trace.run(run, events, reports);
        int process = RUN_PROCESS;
        for (Map.Entry<String, List<LoggedEvent>> node : events.stream()
                .collect(Collectors.groupingBy(LoggedEvent::node, TreeMap::new, Collectors.toList()))
                .entrySet()) {
            process++;
            trace.process(process, "node " + node.getKey());
            new TraceNode(trace, process).add(node.getValue());
        }
        trace.flush();
    }

    private void flush() {
        if (newest != null) {
            out.accept(newest);
        }
    }

    /** From the monotonic clock of a node to the wall clock, in microseconds: the middle of all, since that may jump. */
    private static long offset(List<LoggedEvent> events) {
        List<Long> all = events.stream()
                .map(event -> event.time().toEpochMilli() * NANOS_PER_MICRO - event.nanos() / NANOS_PER_MICRO)
                .sorted()
                .toList();
        return all.get(all.size() / 2);
    }

    private long absolute(LoggedEvent event) {
        return event.nanos() / NANOS_PER_MICRO + offsets.getOrDefault(event.node(), 0L);
    }

    /** Microseconds since the trace began. */
    long micros(LoggedEvent event) {
        return absolute(event) - startMicros;
    }

    private void run(String run, List<LoggedEvent> events, List<IncidentReport> reports) {
        process(RUN_PROCESS, "run " + run);
        thread(RUN_PROCESS, ROUNDS_THREAD, "rounds");
        thread(RUN_PROCESS, INCIDENTS_THREAD, "incidents");
        long end = events.stream().mapToLong(this::micros).max().orElse(0);
        rounds(events, end);
        incidents(events, reports, end);
    }

    /** From one that was sealed or suspended to the next. */
    private void rounds(List<LoggedEvent> events, long end) {
        List<LoggedEvent> rounds = events.stream()
                .filter(event -> event.is(RunEvent.RoundSealed.class) || event.is(RunEvent.RoundSuspended.class))
                .sorted(Comparator.comparingLong(this::micros))
                .toList();
        for (int i = 0; i < rounds.size(); i++) {
            LoggedEvent round = rounds.get(i);
            long next = i + 1 < rounds.size() ? micros(rounds.get(i + 1)) : end;
            String name = "round " + round.round() + (round.is(RunEvent.RoundSuspended.class) ? " (suspended)" : "");
            ObjectNode more = span(RUN_PROCESS, ROUNDS_THREAD, name, micros(round), next);
            round.as(RunEvent.OfRound.class)
                    .ifPresent(event -> more.put("cause", event.cause()).put("world_size", event.worldSize()));
        }
    }

    private void incidents(List<LoggedEvent> events, List<IncidentReport> reports, long end) {
        TraceIncidents incidents = new TraceIncidents(events, reports, this::micros, end);
        for (TraceIncidents.Incident incident : incidents.all()) {
            IncidentReport report = incident.report();
            span(
                            RUN_PROCESS,
                            INCIDENTS_THREAD,
                            (report.isPause()
                                            ? "pause in round "
                                                    + report.beginning().fromRound()
                                            : "incident " + report.number())
                                    + (report.cause().isEmpty() ? "" : ": " + report.cause()),
                            incident.from(),
                            incident.to())
                    .put("text", IncidentText.of(report));
            incident.phases()
                    .forEach(phase -> span(RUN_PROCESS, INCIDENTS_THREAD, phase.name(), phase.from(), phase.to()));
        }
    }

    /** @return where further fields of it are put */
    ObjectNode span(int process, int thread, String name, long fromMicros, long toMicros) {
        return event("X", process, thread, name, fromMicros)
                .put("dur", Math.max(0, toMicros - fromMicros))
                .putObject("args");
    }

    /** @return where further fields of it are put */
    ObjectNode instant(int process, int thread, String name, long micros) {
        return event("i", process, thread, name, micros).put("s", "t").putObject("args");
    }

    private void named(int process, int thread, String kind, String name) {
        event("M", process, thread, kind, 0).putObject("args").put("name", name);
    }

    void thread(int process, int thread, String name) {
        named(process, thread, THREAD_NAME, name);
        // Viewers would put them in the order of their names.
        event("M", process, thread, "thread_sort_index", 0).putObject("args").put("sort_index", thread);
    }

    private void process(int process, String name) {
        named(process, 0, NODE_NAME, name);
        event("M", process, 0, "process_sort_index", 0).putObject("args").put("sort_index", process);
    }

    private ObjectNode event(String phase, int process, int thread, String name, long micros) {
        flush();
        ObjectNode event = MAPPER.createObjectNode();
        newest = event;
        event.put("ph", phase);
        event.put("name", name);
        event.put("cat", "elastic-run");
        event.put("pid", process);
        event.put("tid", thread);
        event.put("ts", Math.max(0, micros));
        return event;
    }
}
