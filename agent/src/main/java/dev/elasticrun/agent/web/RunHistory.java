/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.incident.EventWindow;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.logs.EventPart;
import dev.elasticrun.agent.logs.EventTail;
import dev.elasticrun.agent.logs.LogNames;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.record.NodeRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads the run's history from the events of all nodes, like {@code explain}: from files for nodes of this host, from
 * the agents for new events of other nodes. Safe for use by any thread.
 */
public final class RunHistory {
    private static final long NEWEST_BYTES = 1 << 22;
    private static final long NEWEST_BYTES_OF_GONE = 1 << 18;

    /** Where other nodes' events come from. */
    @FunctionalInterface
    public interface Agents {
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
    // The page shows the newest 20.
    private final EventWindow events = new EventWindow(24, 16_000);
    private String incarnation = "";
    // The nodes that lived at the last query for departed ones.
    private Set<String> live = Set.of();

    private boolean changed;
    private List<IncidentReport> incidents = List.of();
    private Optional<Instant> since = Optional.empty();

    /**
     * @param run directory of the run's logs on this host, with one for each node
     * @param newest what the store has of the run; may block for a moment
     */
    public RunHistory(Path run, Agents agents, Supplier<Optional<RunDescription>> newest, LongSupplier nanoTime) {
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
        begin(description.incarnation());
        Set<String> now = description.nodes().stream().map(NodeRecord::nodeId).collect(Collectors.toSet());
        Set<String> read = nodesHere();
        read.forEach(node -> readHere(node, now.contains(node) ? NEWEST_BYTES : NEWEST_BYTES_OF_GONE));
        Map<String, Long> have = known();
        List<Neighbour> elsewhere = description.nodes().stream()
                .filter(node -> !read.contains(node.nodeId()))
                .map(node -> Neighbour.of(node.spec()))
                .toList();
        if (elsewhere.isEmpty()) {
            return CompletableFuture.completedFuture(new Look(now, List.of()));
        }
        Set<String> present = Stream.concat(now.stream(), read.stream()).collect(Collectors.toSet());
        return agents.events(elsewhere, have, isOther(now) ? Optional.of(present) : Optional.empty())
                .thenApply(found -> new Look(now, found));
    }

    private synchronized Map<String, Long> known() {
        return Map.copyOf(known);
    }

    private synchronized boolean isOther(Set<String> now) {
        return !now.equals(live);
    }

    // Reads the new lines in the file of a node; of a long unread file, the first and the newest lines.
    private void readHere(String node, long newestBytes) {
        long from = known(node);
        EventTail tail = new EventTail(run.resolve(node).resolve(LogNames.EVENTS), from);
        try {
            if (from == 0) {
                add(next(node, tail));
            }
            tail.skipTo(newestBytes);
            for (EventPart part = next(node, tail); !part.isEmpty(); part = next(node, tail)) {
                add(part);
            }
        } catch (IOException unreadable) {
            // Its agent is not asked either: it is on this host, and reads the same file.
        }
    }

    private static EventPart next(String node, EventTail tail) throws IOException {
        byte[] lines = tail.next();
        return new EventPart(node, tail.offset() - lines.length, lines);
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

    /** Another incarnation of the run has the same directory, and counts its incidents anew. */
    private synchronized void begin(String newest) {
        if (!newest.equals(incarnation)) {
            incarnation = newest;
            events.clear();
            known.clear();
        }
    }

    private synchronized long known(String node) {
        return known.getOrDefault(node, 0L);
    }

    private synchronized void add(Look look) {
        live = look.live();
        look.parts().forEach(this::add);
    }

    private synchronized void add(EventPart part) {
        long before = known(part.node());
        List<LoggedEvent> fresh = LoggedEvent.parseAll(part.after(before)).stream()
                .filter(this::isOfThis)
                .toList();
        if (part.end() > before) {
            known.put(part.node(), part.end());
            if (part.from() > before) {
                fresh.stream()
                        .mapToLong(LoggedEvent::incident)
                        .filter(one -> one > 0)
                        .findFirst()
                        .ifPresent(events::beginsIn);
            }
            fresh.forEach(events::add);
            changed = true;
        }
    }

    /** An event from before its agent joined may be of another one, and has no incident. */
    private boolean isOfThis(LoggedEvent event) {
        String of = event.incarnation();
        return of.isEmpty() || of.equals(incarnation);
    }

    private synchronized List<IncidentReport> reports(String wanted) {
        if (changed) {
            changed = false;
            incidents = events.reports(wanted);
            since = events.knownSince();
        }
        return incidents;
    }

    /** Since when incidents are known; empty = since the start of the run. */
    synchronized Optional<Instant> knownSince() {
        return since;
    }

    /** How many events are kept. */
    synchronized int size() {
        return events.size();
    }
}
