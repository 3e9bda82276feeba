/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the workers of one node did, one after the other for each. Pure but for its memory. */
final class TraceNode {
    private static final int AGENT_THREAD = 1;
    private static final int FIRST_WORKER = 2;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Set<Class<? extends RunEvent>> INSTANTS = Set.of(
            RunEvent.CoordinatorElected.class,
            RunEvent.NodeProvedDead.class,
            RunEvent.NodeFenced.class,
            RunEvent.NodeLost.class,
            RunEvent.NodeDraining.class,
            RunEvent.StoreTrouble.class,
            RunEvent.StateLost.class,
            RunEvent.StateLocalLost.class,
            RunEvent.RunEnded.class);

    private final TraceJson trace;
    private final int process;
    private final Map<Integer, Span> open = new TreeMap<>();
    private final Set<RunEvent.Worker> reporting = new HashSet<>();
    private final Map<Integer, Set<Long>> ranks = new TreeMap<>();
    private long firstRank = -1;
    private List<Integer> slots = List.of();

    /** What a worker does since then. */
    private record Span(String name, long micros, long round, long rank, long attempt) {}

    TraceNode(TraceJson trace, int process) {
        this.trace = trace;
        this.process = process;
    }

    /** @param events all of the node */
    void add(List<LoggedEvent> events) {
        List<LoggedEvent> ordered = events.stream()
                .sorted(Comparator.comparingLong(LoggedEvent::nanos))
                .toList();
        ordered.stream()
                .map(LoggedEvent::event)
                .filter(event -> event instanceof RunEvent.WorkerReady || event instanceof RunEvent.WorkerResumed)
                .forEach(event -> reporting.add(((RunEvent.OfWorker) event).worker()));
        trace.thread(process, AGENT_THREAD, "agent");
        ordered.forEach(this::add);
        long end = ordered.isEmpty() ? 0 : trace.micros(ordered.get(ordered.size() - 1));
        List.copyOf(open.keySet()).forEach(slot -> close(slot, end));
        ranks.forEach((slot, had) -> trace.thread(process, FIRST_WORKER + slot, name(slot, had)));
    }

    private static String name(int slot, Set<Long> ranks) {
        String numbers = ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return switch (ranks.size()) {
            case 0 -> "local rank " + slot;
            case 1 -> "rank " + numbers;
            default -> "ranks " + numbers + " (local rank " + slot + ")";
        };
    }

    private void add(LoggedEvent logged) {
        RunEvent event = logged.event();
        if (event instanceof RunEvent.WorkerStarted started) {
            RunEvent.Worker worker = started.worker();
            ranks.putIfAbsent(worker.slot(), new LinkedHashSet<>());
            begin(worker.slot(), reporting.contains(worker) ? "starting" : "running", logged, worker.attempt());
        } else if (event instanceof RunEvent.WorkerReady ready) {
            change(ready.worker().slot(), "ready", logged);
        } else if (event instanceof RunEvent.WorkerResumed resumed) {
            change(resumed.worker().slot(), "working", logged);
        } else if (event instanceof RunEvent.WorkPublished published) {
            firstRank = published.rank();
            slots = published.slots();
            changeRanked("joining", logged);
        } else if (event instanceof RunEvent.IncidentPaused) {
            changeRanked("paused", logged);
        } else if (event instanceof RunEvent.WorkersStopping) {
            changeAll("stopping", logged);
        } else if (event instanceof RunEvent.WorkerExited exited) {
            exited(exited, logged);
        } else if (INSTANTS.contains(event.getClass())) {
            trace.instant(process, AGENT_THREAD, event.kind(), trace.micros(logged))
                    .setAll((ObjectNode) MAPPER.valueToTree(logged.line()));
        }
    }

    private void exited(RunEvent.WorkerExited event, LoggedEvent logged) {
        long now = trace.micros(logged);
        int slot = event.worker().slot();
        int exitCode = event.end().exitCode();
        close(slot, now);
        if (exitCode != 0 && !event.asked()) {
            trace.instant(process, FIRST_WORKER + slot, "exit code " + exitCode, now)
                    .put("round", logged.round());
        }
    }

    private void changeAll(String name, LoggedEvent event) {
        List.copyOf(open.keySet()).forEach(slot -> change(slot, name, event));
    }

    // Those without a rank wait as they did before.
    private void changeRanked(String name, LoggedEvent event) {
        List.copyOf(open.keySet()).stream().filter(slot -> rank(slot) >= 0).forEach(slot -> change(slot, name, event));
    }

    // The activity of a worker that reports none is not known: it stays "running".
    private void change(int slot, String name, LoggedEvent event) {
        Span before = open.get(slot);
        if (before != null && !before.name().equals("running")) {
            begin(slot, name, event, before.attempt());
        }
    }

    private void begin(int slot, String name, LoggedEvent event, long attempt) {
        close(slot, trace.micros(event));
        open.put(slot, new Span(name, trace.micros(event), event.round(), rank(slot), attempt));
    }

    // -1 = none. Logs of earlier versions do not have the slots: there all have a rank.
    private long rank(int slot) {
        int index = slots.isEmpty() ? slot : slots.indexOf(slot);
        return firstRank < 0 || index < 0 ? -1 : firstRank + index;
    }

    private void close(int slot, long now) {
        Span span = open.remove(slot);
        if (span != null) {
            ObjectNode more = trace.span(process, FIRST_WORKER + slot, span.name(), span.micros(), now);
            more.put("round", span.round()).put("attempt", span.attempt());
            if (span.rank() >= 0) {
                more.put("rank", span.rank());
                ranks.computeIfAbsent(slot, unknown -> new LinkedHashSet<>()).add(span.rank());
            }
        }
    }
}
