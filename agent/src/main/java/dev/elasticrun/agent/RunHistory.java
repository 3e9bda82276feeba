/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.control.Neighbour;
import dev.elasticrun.agent.facts.EventPart;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.Incidents;
import dev.elasticrun.agent.incident.RunEvent;
import dev.elasticrun.agent.logs.EventTail;
import dev.elasticrun.agent.logs.LogNames;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.RunDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What happened in the run, from the events of all nodes, as {@code explain} has it: nodes whose files are on this host are
 * read there, agents of other nodes are asked for what is new. Safe for use by any thread.
 */
final class RunHistory {
    /** Where other nodes' events come from. */
    @FunctionalInterface
    interface Agents {
        /** As {@link dev.elasticrun.agent.control.ControlPlane#events}. */
        CompletableFuture<List<EventPart>> events(
                Collection<Neighbour> nodes, Map<String, Long> known, Optional<Set<String>> exceptGone);
    }

    /**
     * What is read at once.
     *
     * @param live nodes of the run at that time
     */
    private record Look(Set<String> live, List<EventPart> parts) {
        Look {
            live = Set.copyOf(live);
            parts = List.copyOf(parts);
        }
    }

    private final Path run;
    private final Agents agents;
    private final RecentRun<Look> looks;
    private final Map<String, Long> known = new HashMap<>();
    private final Map<String, List<RunEvent>> events = new TreeMap<>();
    /** The nodes that lived when those that are gone were asked for. */
    private Set<String> live = Set.of();

    private boolean changed;
    private List<IncidentReport> incidents = List.of();

    /**
     * @param run directory of the run's logs on this host, with one for each node
     * @param newest what the store has of the run; may block for a moment
     */
    RunHistory(Path run, Agents agents, Supplier<Optional<RunDescription>> newest, LongSupplier nanoTime) {
        this.run = run;
        this.agents = agents;
        this.looks = new RecentRun<>(
                () -> newest.get()
                        .map(this::look)
                        .orElseGet(() ->
                                CompletableFuture.failedFuture(new IllegalStateException("the run is not joined yet"))),
                nanoTime);
    }

    /** In order, of this incarnation of the run. Reads files, and waits half a second at most for other agents. */
    List<IncidentReport> incidents(String incarnation) {
        looks.get().ifPresent(this::add);
        return reports(incarnation);
    }

    private CompletableFuture<Look> look(RunDescription description) {
        Map<String, Long> have = known();
        List<EventPart> here = here(have);
        Set<String> read = nodesHere();
        Set<String> now = description.nodes().stream().map(NodeRecord::nodeId).collect(Collectors.toSet());
        List<Neighbour> elsewhere = description.nodes().stream()
                .filter(node -> !read.contains(node.nodeId()))
                .map(node -> new Neighbour(node.nodeId(), node.address(), node.controlPort()))
                .toList();
        if (elsewhere.isEmpty()) {
            return CompletableFuture.completedFuture(new Look(now, here));
        }
        Set<String> present = Stream.concat(now.stream(), read.stream()).collect(Collectors.toSet());
        return agents.events(elsewhere, have, isOther(now) ? Optional.of(present) : Optional.empty())
                .thenApply(found -> new Look(
                        now, Stream.concat(here.stream(), found.stream()).toList()));
    }

    private synchronized Map<String, Long> known() {
        return Map.copyOf(known);
    }

    private synchronized boolean isOther(Set<String> now) {
        return !now.equals(live);
    }

    private List<EventPart> here(Map<String, Long> have) {
        List<EventPart> parts = new ArrayList<>();
        for (String node : nodesHere()) {
            EventTail tail = new EventTail(run.resolve(node).resolve(LogNames.EVENTS), have.getOrDefault(node, 0L));
            try {
                for (byte[] lines = tail.next(); lines.length > 0; lines = tail.next()) {
                    parts.add(new EventPart(node, tail.offset() - lines.length, lines));
                }
            } catch (IOException unreadable) {
                // Its agent is not asked either: it is on this host, and reads the same file.
            }
        }
        return parts;
    }

    private Set<String> nodesHere() {
        try (Stream<Path> nodes = Files.list(run)) {
            return nodes.filter(node -> Files.isRegularFile(node.resolve(LogNames.EVENTS), LinkOption.NOFOLLOW_LINKS))
                    .map(node -> node.getFileName().toString())
                    .collect(Collectors.toSet());
        } catch (IOException none) {
            return Set.of();
        }
    }

    private synchronized void add(Look look) {
        live = look.live();
        for (EventPart part : look.parts()) {
            String lines = part.after(known.getOrDefault(part.node(), 0L));
            if (!lines.isEmpty()) {
                known.put(part.node(), part.end());
                events.computeIfAbsent(part.node(), node -> new ArrayList<>()).addAll(RunEvent.parseAll(lines));
                changed = true;
            }
        }
    }

    private synchronized List<IncidentReport> reports(String incarnation) {
        if (changed) {
            changed = false;
            List<RunEvent> all = events.values().stream().flatMap(List::stream).toList();
            incidents = Incidents.of(RunEvent.ofIncarnation(incarnation, all));
        }
        return incidents;
    }
}
