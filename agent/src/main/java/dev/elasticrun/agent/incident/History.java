/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The events of a run by rounds and incidents. Pure. */
final class History {
    private final List<RunEvent> events;
    private final Map<String, List<RunEvent>> byKind;
    private final Map<String, Map<String, List<RunEvent>>> byKindAndNode;
    private final Map<Long, List<RunEvent>> byIncident;
    private final Map<Long, List<RunEvent>> byHome;
    private final NavigableMap<Long, Sealed> rounds = new TreeMap<>();
    private final RoundPauses pauses;
    private final Map<String, Long> cut = new HashMap<>();

    /** A round as somebody wrote it, or as its members tell. */
    record Sealed(long number, long incident, int worldSize, List<String> nodes, String cause, long restartsUsed) {}

    /** @param all of all nodes, in any order */
    History(List<RunEvent> all) {
        this.pauses = new RoundPauses(all);
        this.events = all.stream()
                .filter(event -> !pauses.isOfOne(event))
                .sorted(Comparator.comparing(RunEvent::time))
                .toList();
        all.stream().collect(Collectors.groupingBy(RunEvent::node)).forEach(this::cut);
        this.byKind = events.stream().collect(Collectors.groupingBy(RunEvent::kind));
        this.byKindAndNode =
                events.stream().collect(Collectors.groupingBy(RunEvent::kind, Collectors.groupingBy(RunEvent::node)));
        this.byIncident = events.stream().collect(Collectors.groupingBy(RunEvent::incident));
        kind("round.sealed").forEach(event -> rounds.put(event.round(), sealed(event)));
        // Who wrote a round may be dead, and its log out of reach.
        kind("work.published")
                .filter(event -> !rounds.containsKey(event.round()))
                .forEach(event -> rounds.put(event.round(), told(event)));
        this.byHome = events.stream().collect(Collectors.groupingBy(this::home));
    }

    /** A log that does not begin with its first line has lost older ones. */
    private void cut(String node, List<RunEvent> ofNode) {
        List<RunEvent> ordered = ofNode.stream()
                .sorted(Comparator.comparingLong(RunEvent::nanos))
                .toList();
        if (ordered.get(0).is("log.continued")) {
            cut.put(
                    node,
                    ordered.stream()
                            .mapToLong(RunEvent::incident)
                            .filter(number -> number > 0)
                            .findFirst()
                            .orElse(0));
        }
    }

    /** Whether the oldest events of a node are gone. */
    boolean isCut(String node) {
        return cut.containsKey(node);
    }

    /** Of incidents up to this one some node's events are gone; -1 = none is, 0 = no round is known since. */
    long lastCut() {
        return cut.values().stream().mapToLong(Long::longValue).max().orElse(-1);
    }

    /** Pauses within rounds, in order. Their events are in no other list. */
    List<RoundPause> pauses() {
        return pauses.all();
    }

    List<RunEvent> events() {
        return events;
    }

    private static Sealed sealed(RunEvent event) {
        return new Sealed(
                event.round(),
                event.incident(),
                (int) event.number("world_size"),
                event.texts("nodes"),
                event.text("cause"),
                event.number("budget_used"));
    }

    private Sealed told(RunEvent published) {
        List<String> members = kind("work.published")
                .filter(event -> event.round() == published.round())
                .sorted(Comparator.comparingLong(event -> event.number("rank")))
                .map(RunEvent::node)
                .distinct()
                .toList();
        return new Sealed(
                published.round(),
                published.incident(),
                (int) published.number("world_size"),
                members,
                published.text("cause"),
                -1);
    }

    Stream<RunEvent> kind(String kind) {
        return byKind.getOrDefault(kind, List.of()).stream();
    }

    Stream<RunEvent> kind(String kind, String node) {
        return byKindAndNode.getOrDefault(kind, Map.of()).getOrDefault(node, List.of()).stream();
    }

    Optional<Sealed> round(long number) {
        return Optional.ofNullable(rounds.get(number));
    }

    /** The round that answered an incident. */
    Optional<Sealed> answer(long incident) {
        return rounds.values().stream()
                .filter(round -> round.incident() == incident)
                .findFirst();
    }

    /** The newest round before the incident. */
    Optional<Sealed> before(long incident) {
        return rounds.values().stream()
                .filter(round -> round.incident() < incident)
                .reduce((earlier, later) -> later);
    }

    /** In order; those of rounds, and of rounds that were suspended. */
    List<Long> incidents() {
        return byIncident.keySet().stream()
                .filter(number -> number > 0)
                .sorted()
                .toList();
    }

    /**
     * The incident that an event at an agent belongs to, as its cause or its consequence until the next round: an agent
     * says with which round and incident it was when it happened.
     */
    long home(RunEvent event) {
        if (event.incident() == 0) {
            return 1;
        }
        boolean isDecision = event.has("next_round") || event.is("round.sealed") || event.is("work.published");
        boolean isPause = event.is("incident.paused") && event.number("paused_round") < event.round();
        if (isDecision || isPause) {
            // Written because of the round, when the agent knew it.
            return event.incident();
        }
        @Nullable Sealed known = rounds.get(event.round());
        boolean isAnswered = known == null ? isForgotten(event) : known.incident() == event.incident();
        return isAnswered ? event.incident() + 1 : event.incident();
    }

    /** Whether the event's round was sealed, and who said so is gone from the logs. */
    private boolean isForgotten(RunEvent event) {
        return event.round() > 0
                && event.incident() <= lastCut()
                && kind("round.suspended").noneMatch(suspended -> suspended.round() == event.round());
    }

    /** Events of the incident's time until its round, as {@link #home} has it. */
    List<RunEvent> until(long incident) {
        return byHome.getOrDefault(incident, List.of());
    }

    /** Events that carry the incident's number: its decisions, its round, and what followed until the next one. */
    List<RunEvent> of(long incident) {
        return byIncident.getOrDefault(incident, List.of());
    }

    /** Whether two nodes' clocks are one. */
    boolean isSameHost(String one, String other) {
        return one.equals(other) || host(one).equals(host(other));
    }

    private String host(String node) {
        return kind("run.joined", node)
                .map(event -> event.text("host"))
                .findFirst()
                .orElse(node);
    }

    /** What the first agent that joined knew of the run. */
    Map<String, Long> limits() {
        return kind("run.joined")
                .findFirst()
                .map(event ->
                        Map.of("max_restarts", event.number("max_restarts"), "min_nodes", event.number("min_nodes")))
                .orElse(Map.of("max_restarts", -1L, "min_nodes", -1L));
    }

    /** Whether the run's policy starts all workers with each round. */
    boolean restartsAll() {
        // A policy of the user's own may do that, too.
        return kind("run.joined")
                .anyMatch(event -> event.has("restarts_all")
                        ? event.flag("restarts_all")
                        : event.text("policy").equals("hard"));
    }
}
