/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Pauses within a round: the store was away for longer than leases last, so that nodes were fenced, and then the same
 * round went on. No round answers them, so that they have no incident's number of their own. Pure.
 */
final class RoundPauses {
    /** What a node writes because of a pause. */
    private static final Set<String> OWN = Set.of(
            "incident.paused",
            "node.fenced",
            "node.restored",
            "pause.acknowledged",
            "peer.lost",
            "store.trouble",
            "store.well",
            "work.published",
            "worker.progressed",
            "worker.resumed");
    /** What shows that something else happened at the node. */
    private static final Set<String> OTHERS = Set.of(
            "agent.ended",
            "incident.detected",
            "node.draining",
            "node.lost",
            "run.ended",
            "worker.exited",
            "workers.stopping");

    /** What may begin the next one, or an incident, when it is over. */
    private static final Set<String> BEGINNINGS =
            Set.of("incident.paused", "node.fenced", "peer.lost", "store.trouble");

    private final List<RoundPause> pauses = new ArrayList<>();
    private final Set<RunEvent> taken = Collections.newSetFromMap(new IdentityHashMap<>());

    /** @param events of all nodes, in any order */
    RoundPauses(List<RunEvent> events) {
        boolean isOver = events.stream().anyMatch(event -> event.is("run.ended"));
        long newest = isOver
                ? Long.MAX_VALUE
                : events.stream().mapToLong(RunEvent::round).max().orElse(0);
        Map<String, List<RoundPause.Part>> parts = new TreeMap<>();
        Map<String, List<RunEvent>> byNode = events.stream().collect(Collectors.groupingBy(RunEvent::node));
        byNode.forEach((node, all) -> of(node, all, newest).forEach(part -> {
            parts.computeIfAbsent(node, unknown -> new ArrayList<>()).add(part);
            taken.addAll(part.events());
        }));
        // Clocks of two hosts are not compared: a node's first pause in a round goes with the first of the others.
        Map<List<Long>, List<RoundPause.Part>> together = new HashMap<>();
        parts.values().forEach(ofNode -> {
            Map<Long, Long> count = new HashMap<>();
            ofNode.forEach(part -> together.computeIfAbsent(
                            List.of(part.round(), count.merge(part.round(), 1L, Long::sum)),
                            unknown -> new ArrayList<>())
                    .add(part));
        });
        together.values().forEach(all -> pauses.add(new RoundPause(all)));
        pauses.sort(Comparator.comparingLong(RoundPause::round).thenComparing(RoundPause::time));
    }

    /** In order. */
    List<RoundPause> all() {
        return pauses;
    }

    /** Whether an event is one of a pause: no incident is explained by it. */
    boolean isOfOne(RunEvent event) {
        return taken.contains(event);
    }

    private static List<RoundPause.Part> of(String node, List<RunEvent> all, long newest) {
        List<RunEvent> ordered =
                all.stream().sorted(Comparator.comparingLong(RunEvent::nanos)).toList();
        List<RoundPause.Part> found = new ArrayList<>();
        @Nullable RunEvent paused = null;
        RoundPause.@Nullable Part open = null;
        for (RunEvent event : ordered) {
            if (open != null && ends(open, event)) {
                if (open.isOver()) {
                    found.add(open);
                }
                open = null;
            }
            if (event.is("incident.paused")) {
                paused = event;
            }
            if (open == null && event.is("node.fenced") && event.number("working_round") > 0) {
                open = new RoundPause.Part(node, event.round(), event.incident());
                if (paused != null && paused.number("paused_round") == event.number("working_round")) {
                    open.add(paused);
                }
            }
            if (open != null && OWN.contains(event.kind()) && !open.events().contains(event)) {
                open.add(event);
            }
        }
        if (open != null && (open.isOver() || open.round() == newest)) {
            found.add(open);
        }
        return found;
    }

    private static boolean ends(RoundPause.Part open, RunEvent event) {
        boolean isNext = open.isOver() && BEGINNINGS.contains(event.kind());
        return isNext
                || event.round() > open.round()
                || event.flag("stalled")
                || (OTHERS.contains(event.kind()) && !event.has("next_round"));
    }
}
