/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.incident.RunEvent;
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
    private static final Set<String> INSTANTS = Set.of(
            "coordinator.elected",
            "node.proved_dead",
            "node.fenced",
            "node.lost",
            "node.draining",
            "store.trouble",
            "state.lost",
            "state.local_lost",
            "run.ended");

    private final TraceJson trace;
    private final int process;
    private final Map<Integer, Span> open = new TreeMap<>();
    private final Set<String> telling = new HashSet<>();
    private final Map<Integer, Set<Long>> ranks = new TreeMap<>();
    private long firstRank = -1;

    /** What a worker does since then. */
    private record Span(String name, long micros, long round, long rank, long attempt) {}

    TraceNode(TraceJson trace, int process) {
        this.trace = trace;
        this.process = process;
    }

    /** @param events all of the node */
    void add(List<RunEvent> events) {
        List<RunEvent> ordered = events.stream()
                .sorted(Comparator.comparingLong(RunEvent::nanos))
                .toList();
        ordered.stream()
                .filter(event -> event.is("worker.ready") || event.is("worker.resumed"))
                .forEach(event -> telling.add(worker(event)));
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

    private void add(RunEvent event) {
        long now = trace.micros(event);
        int slot = (int) event.number("slot");
        switch (event.kind()) {
            case "worker.started" -> {
                ranks.putIfAbsent(slot, new LinkedHashSet<>());
                begin(slot, telling.contains(worker(event)) ? "starting" : "running", event, event.number("attempt"));
            }
            case "worker.ready" -> change(slot, "ready", event);
            case "worker.resumed" -> change(slot, "working", event);
            case "work.published" -> {
                firstRank = event.number("rank");
                changeAll("joining", event);
            }
            case "incident.paused" -> changeAll("paused", event);
            case "workers.stopping" -> changeAll("stopping", event);
            case "worker.exited" -> exited(slot, event, now);
            default -> {
                if (INSTANTS.contains(event.kind())) {
                    trace.instant(process, AGENT_THREAD, event.kind(), now)
                            .setAll((ObjectNode) event.json().deepCopy());
                }
            }
        }
    }

    private static String worker(RunEvent event) {
        return event.number("slot") + "." + event.number("attempt");
    }

    private void exited(int slot, RunEvent event, long now) {
        close(slot, now);
        if (event.number("exit_code") != 0 && !event.flag("asked")) {
            trace.instant(process, FIRST_WORKER + slot, "exit code " + event.number("exit_code"), now)
                    .put("round", event.round());
        }
    }

    private void changeAll(String name, RunEvent event) {
        List.copyOf(open.keySet()).forEach(slot -> change(slot, name, event));
    }

    /** What a worker that tells nothing does is not known: it runs. */
    private void change(int slot, String name, RunEvent event) {
        Span before = open.get(slot);
        if (before != null && !before.name().equals("running")) {
            begin(slot, name, event, before.attempt());
        }
    }

    private void begin(int slot, String name, RunEvent event, long attempt) {
        close(slot, trace.micros(event));
        long rank = firstRank < 0 ? -1 : firstRank + slot;
        open.put(slot, new Span(name, trace.micros(event), event.round(), rank, attempt));
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
