/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
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
 * Pauses within a round: the store was unavailable for longer than leases last, so that nodes were fenced, and then the
 * same round resumed. No round answers them, so that they have no incident number of their own. Pure.
 */
final class RoundPauses {
    // Events that a node writes because of a pause.
    private static final Set<Class<? extends RunEvent>> OWN = Set.of(
            RunEvent.IncidentPaused.class,
            RunEvent.NodeFenced.class,
            RunEvent.NodeRestored.class,
            RunEvent.PauseAcknowledged.class,
            RunEvent.PeerLost.class,
            RunEvent.StoreTrouble.class,
            RunEvent.StoreWell.class,
            RunEvent.WorkPublished.class,
            RunEvent.WorkerProgressed.class,
            RunEvent.WorkerResumed.class);
    // Events that show another incident at the node.
    private static final Set<Class<? extends RunEvent>> OTHERS = Set.of(
            RunEvent.AgentEnded.class,
            RunEvent.WorkerFailed.class,
            RunEvent.PauseExpired.class,
            RunEvent.NodeDraining.class,
            RunEvent.NodeLost.class,
            RunEvent.RunEnded.class,
            RunEvent.WorkerExited.class,
            RunEvent.WorkersStopping.class);

    // Events that may begin the next pause, or an incident, when the pause is over.
    private static final Set<Class<? extends RunEvent>> BEGINNINGS = Set.of(
            RunEvent.IncidentPaused.class,
            RunEvent.NodeFenced.class,
            RunEvent.PeerLost.class,
            RunEvent.StoreTrouble.class);

    private final List<RoundPause> pauses = new ArrayList<>();
    private final Set<LoggedEvent> taken = Collections.newSetFromMap(new IdentityHashMap<>());

    /** @param events of all nodes, in any order */
    RoundPauses(List<LoggedEvent> events) {
        boolean isOver = events.stream().anyMatch(event -> event.is(RunEvent.RunEnded.class));
        long newest = isOver
                ? Long.MAX_VALUE
                : events.stream().mapToLong(LoggedEvent::round).max().orElse(0);
        Map<String, List<RoundPause.Part>> parts = new TreeMap<>();
        Map<String, List<LoggedEvent>> byNode = events.stream().collect(Collectors.groupingBy(LoggedEvent::node));
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
    boolean isOfOne(LoggedEvent event) {
        return taken.contains(event);
    }

    private static List<RoundPause.Part> of(String node, List<LoggedEvent> all, long newest) {
        List<LoggedEvent> ordered = all.stream()
                .sorted(Comparator.comparingLong(LoggedEvent::nanos))
                .toList();
        List<RoundPause.Part> found = new ArrayList<>();
        @Nullable LoggedEvent paused = null;
        RoundPause.@Nullable Part open = null;
        for (LoggedEvent event : ordered) {
            if (open != null && ends(open, event)) {
                if (open.isOver()) {
                    found.add(open);
                }
                open = null;
            }
            if (event.is(RunEvent.IncidentPaused.class)) {
                paused = event;
            }
            long fenced = event.as(RunEvent.NodeFenced.class)
                    .map(RunEvent.NodeFenced::workingRound)
                    .orElse(0L);
            if (open == null && fenced > 0) {
                open = new RoundPause.Part(node, event.round(), event.incident());
                if (paused != null
                        && paused.is(RunEvent.IncidentPaused.class, pause -> pause.pausedRound() == fenced)) {
                    open.add(paused);
                }
            }
            if (open != null
                    && OWN.contains(event.event().getClass())
                    && !open.events().contains(event)) {
                open.add(event);
            }
        }
        if (open != null && (open.isOver() || open.round() == newest)) {
            found.add(open);
        }
        return found;
    }

    private static boolean ends(RoundPause.Part open, LoggedEvent event) {
        boolean isNext = open.isOver() && BEGINNINGS.contains(event.event().getClass());
        return isNext
                || event.round() > open.round()
                || event.is(RunEvent.NodeRestored.class, RunEvent.NodeRestored::stalled)
                || OTHERS.contains(event.event().getClass());
    }
}
