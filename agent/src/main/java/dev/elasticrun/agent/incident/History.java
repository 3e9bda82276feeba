/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import java.time.Duration;
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
    private final List<LoggedEvent> events;
    private final Map<Class<?>, List<LoggedEvent>> byType;
    private final Map<Class<?>, Map<String, List<LoggedEvent>>> byTypeAndNode;
    private final Map<Long, List<LoggedEvent>> byIncident;
    private final Map<Long, List<LoggedEvent>> byHome;
    private final NavigableMap<Long, Sealed> rounds = new TreeMap<>();
    private final RoundPauses pauses;
    private final Map<String, Long> cut = new HashMap<>();

    /** A round as its coordinator wrote it, or as its members report it. */
    record Sealed(long number, long incident, int worldSize, List<String> nodes, String cause, long restartsUsed) {}

    /** @param all of all nodes, in any order */
    History(List<LoggedEvent> all) {
        this.pauses = new RoundPauses(all);
        this.events = all.stream()
                .filter(event -> !pauses.isOfOne(event))
                .sorted(Comparator.comparing(LoggedEvent::time))
                .toList();
        all.stream().collect(Collectors.groupingBy(LoggedEvent::node)).forEach(this::cut);
        this.byType = events.stream().collect(Collectors.groupingBy(History::type));
        this.byTypeAndNode =
                events.stream().collect(Collectors.groupingBy(History::type, Collectors.groupingBy(LoggedEvent::node)));
        this.byIncident = events.stream().collect(Collectors.groupingBy(LoggedEvent::incident));
        kind(RunEvent.RoundSealed.class).forEach(event -> event.as(RunEvent.RoundSealed.class)
                .ifPresent(round -> rounds.put(event.round(), sealed(event, round))));
        // The node that wrote a round may be dead, and its log out of reach.
        kind(RunEvent.WorkPublished.class)
                .filter(event -> !rounds.containsKey(event.round()))
                .forEach(event -> event.as(RunEvent.WorkPublished.class)
                        .ifPresent(published -> rounds.put(event.round(), reported(event, published))));
        this.byHome = events.stream().collect(Collectors.groupingBy(this::home));
    }

    /** A log that does not begin with its first line has lost older ones. */
    private void cut(String node, List<LoggedEvent> ofNode) {
        List<LoggedEvent> ordered = ofNode.stream()
                .sorted(Comparator.comparingLong(LoggedEvent::nanos))
                .toList();
        if (ordered.get(0).is(RunEvent.LogContinued.class)) {
            cut.put(
                    node,
                    ordered.stream()
                            .mapToLong(LoggedEvent::incident)
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

    List<LoggedEvent> events() {
        return events;
    }

    private static Class<?> type(LoggedEvent event) {
        return event.event().getClass();
    }

    private static Sealed sealed(LoggedEvent event, RunEvent.RoundSealed round) {
        return new Sealed(
                event.round(), event.incident(), round.worldSize(), round.nodes(), round.cause(), round.budgetUsed());
    }

    private Sealed reported(LoggedEvent event, RunEvent.WorkPublished published) {
        List<String> members = kind(RunEvent.WorkPublished.class)
                .filter(other -> other.round() == event.round())
                .sorted(Comparator.comparingInt(other -> other.as(RunEvent.WorkPublished.class)
                        .map(RunEvent.WorkPublished::rank)
                        .orElse(0)))
                .map(LoggedEvent::node)
                .distinct()
                .toList();
        return new Sealed(event.round(), event.incident(), published.worldSize(), members, published.cause(), -1);
    }

    Stream<LoggedEvent> kind(Class<? extends RunEvent> type) {
        return byType.getOrDefault(type, List.of()).stream();
    }

    Stream<LoggedEvent> kind(Class<? extends RunEvent> type, String node) {
        return byTypeAndNode.getOrDefault(type, Map.of()).getOrDefault(node, List.of()).stream();
    }

    /** What they are, without where and when. */
    <E extends RunEvent> Stream<E> all(Class<E> type) {
        return kind(type).map(LoggedEvent::event).map(type::cast);
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
     * records with which round and incident it was when it happened.
     */
    long home(LoggedEvent event) {
        if (event.incident() == 0) {
            return 1;
        }
        boolean isDecision = event.is(RunEvent.RoundDecided.class)
                || event.is(RunEvent.RoundSealed.class)
                || event.is(RunEvent.WorkPublished.class);
        boolean isPause = event.is(RunEvent.IncidentPaused.class, paused -> paused.pausedRound() < event.round());
        if (isDecision || isPause) {
            // Written because of the round, when the agent knew it.
            return event.incident();
        }
        @Nullable Sealed known = rounds.get(event.round());
        boolean isAnswered = known == null ? isForgotten(event) : known.incident() == event.incident();
        return isAnswered ? event.incident() + 1 : event.incident();
    }

    // Whether the event's round was sealed, and the event that shows it is gone from the logs.
    private boolean isForgotten(LoggedEvent event) {
        return event.round() > 0
                && event.incident() <= lastCut()
                && kind(RunEvent.RoundSuspended.class).noneMatch(suspended -> suspended.round() == event.round());
    }

    /** Events of the incident's time until its round, by {@link #home}. */
    List<LoggedEvent> until(long incident) {
        return byHome.getOrDefault(incident, List.of());
    }

    /** Events that carry the incident's number: its decisions, its round, and what followed until the next one. */
    List<LoggedEvent> of(long incident) {
        return byIncident.getOrDefault(incident, List.of());
    }

    /** Whether two nodes' clocks are one. */
    boolean isSameHost(String one, String other) {
        return one.equals(other) || host(one).equals(host(other));
    }

    private String host(String node) {
        return kind(RunEvent.RunJoined.class, node)
                .flatMap(event -> event.as(RunEvent.RunJoined.class).stream())
                .map(RunEvent.RunJoined::host)
                .findFirst()
                .orElse(node);
    }

    /** Of the run, as the first agent that joined knew it; -1 = not known. */
    int maxRestarts() {
        return all(RunEvent.RunJoined.class)
                .findFirst()
                .map(joined -> joined.limits().maxRestarts())
                .orElse(-1);
    }

    /** For how long each counts, as text that follows their number; empty = for as long as the run. */
    String restartsWithin() {
        return all(RunEvent.RunJoined.class)
                .findFirst()
                .map(joined -> new RestartBudget(
                                joined.limits().maxRestarts(),
                                Duration.ofMillis(joined.limits().restartWindowMs()),
                                Duration.ZERO)
                        .within())
                .orElse("");
    }

    /** Whether the run's policy, maybe one of the user's own, starts all workers with each round. */
    boolean restartsAll() {
        return all(RunEvent.RunJoined.class).anyMatch(joined -> joined.policy().restartsAll());
    }
}
