/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.IncidentReport.Outcome;
import dev.elasticrun.rendezvous.restart.Cause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Derives the incidents of the run from the events of all nodes. An event belongs to the incident of the next round
 * after it; hosts' wall clocks only order an incident's events for display. Pure.
 */
public final class Incidents {
    private static final Set<Class<? extends RunEvent>> BEGINNINGS = Set.of(
            RunEvent.WorkerFailed.class,
            RunEvent.PauseExpired.class,
            RunEvent.RoundDecided.class,
            RunEvent.IncidentPaused.class,
            RunEvent.NodeProvedDead.class,
            RunEvent.NodeLost.class,
            RunEvent.RoundSuspended.class,
            RunEvent.RoundSealed.class,
            RunEvent.RunStopRequested.class,
            RunEvent.RunEnded.class);

    /** The start of the run. */
    private static final long FIRST = 1;

    private final History history;
    private final List<Double> starts;

    private Incidents(List<LoggedEvent> events) {
        this.history = new History(events);
        this.starts = Costs.starts(history);
    }

    /**
     * In order. The last is the end of the run, if no round answered what happened.
     *
     * @param events of all nodes that are known, in any order
     */
    public static List<IncidentReport> of(List<LoggedEvent> events) {
        return new Incidents(events).all();
    }

    private List<IncidentReport> all() {
        List<Long> numbers = new ArrayList<>(history.incidents());
        long next = numbers.isEmpty() ? 1 : numbers.get(numbers.size() - 1) + 1;
        if (isOpen(next)) {
            numbers.add(next);
        }
        // How one of them began that some node has forgotten is not known.
        Stream<IncidentReport> answered =
                numbers.stream().filter(number -> number > history.lastCut()).map(this::report);
        Stream<IncidentReport> paused = history.pauses().stream().map(this::report);
        return Stream.concat(answered, paused)
                .sorted(Comparator.comparingLong(IncidentReport::number).thenComparing(IncidentReport::isPause))
                .toList();
    }

    /** Without those of pauses within rounds, which no incident's phases are made of. */
    public static List<LoggedEvent> withoutPauses(List<LoggedEvent> events) {
        return new History(events).events();
    }

    /**
     * Since when incidents are known, if some node's older events are gone: the first moment, on the clock of that host, at
     * which all that is left begins.
     */
    public static Optional<Instant> knownSince(List<LoggedEvent> events) {
        return events.stream().collect(Collectors.groupingBy(LoggedEvent::node)).values().stream()
                .map(all -> all.stream().min(Comparator.comparingLong(LoggedEvent::nanos)))
                .flatMap(Optional::stream)
                .filter(event -> event.is(RunEvent.LogContinued.class))
                .map(LoggedEvent::time)
                .max(Instant::compareTo);
    }

    // Whether something happened after the newest round that no round has answered: the end, or an open incident.
    private boolean isOpen(long next) {
        List<LoggedEvent> since = history.until(next);
        Optional<History.Sealed> before = history.before(next);
        // Of a round whose events are gone all are members that report one.
        List<String> members = before.map(History.Sealed::nodes).orElseGet(() -> since.stream()
                .filter(event -> event.round() > 0)
                .map(LoggedEvent::node)
                .distinct()
                .toList());
        Set<String> ended = since.stream()
                .filter(event -> event.is(RunEvent.AgentEnded.class))
                .map(LoggedEvent::node)
                .collect(Collectors.toSet());
        boolean allEnded = !ended.isEmpty() && ended.containsAll(members);
        return allEnded
                || since.stream()
                        .anyMatch(event -> event.is(RunEvent.RunEnded.class)
                                || (isSign(event) && members.contains(event.node()))
                                || event.is(RunEvent.NodeProvedDead.class, proof -> members.contains(proof.dead())));
    }

    private static boolean isSign(LoggedEvent event) {
        return event.is(RunEvent.OfFailure.class)
                || event.is(RunEvent.RoundDecided.class)
                || event.is(RunEvent.NodeDraining.class);
    }

    private IncidentReport report(long number) {
        List<LoggedEvent> own = Stream.concat(history.until(number).stream(), history.of(number).stream())
                .toList();
        Optional<History.Sealed> answer = history.answer(number);
        List<Culprit> culprits = new Causes(history, number).find();
        Optional<LoggedEvent> end = answer.isPresent() ? Optional.empty() : end(number);
        Costs costs = new Costs(history, number, starts);
        return new IncidentReport(
                new IncidentReport.Beginning(
                        number,
                        time(own),
                        history.before(number).map(History.Sealed::number).orElse(0L)),
                cause(number, answer),
                culprits,
                new IncidentReport.Result(
                        outcome(number, answer, end),
                        end.flatMap(event -> event.as(RunEvent.OfEnd.class))
                                .map(RunEvent.OfEnd::reason)
                                .orElse("")),
                answer(
                        answer,
                        answer.map(History.Sealed::number).orElse(0L),
                        coordinator(number),
                        costs.survivors(),
                        answer.map(History.Sealed::restartsUsed).orElseGet(() -> lastKnown(number))),
                new IncidentReport.Waiting(waited(own), keptOut(number)),
                costs.find());
    }

    private IncidentReport report(RoundPause pause) {
        Optional<History.Sealed> round = history.round(pause.round());
        return new IncidentReport(
                new IncidentReport.Beginning(Math.max(FIRST, pause.incident()), pause.time(), pause.round()),
                "store not reachable",
                pause.culprits(),
                new IncidentReport.Result(Outcome.PAUSED, ""),
                answer(
                        round,
                        pause.isOver() ? pause.round() : 0,
                        "",
                        pause.survivors(),
                        round.map(History.Sealed::restartsUsed).orElse(-1L)),
                new IncidentReport.Waiting("", List.of()),
                pause.cost());
    }

    private IncidentReport.Answer answer(
            Optional<History.Sealed> round, long number, String coordinator, int survivors, long restartsUsed) {
        return new IncidentReport.Answer(
                number,
                round.map(History.Sealed::worldSize).orElse(0),
                round.map(History.Sealed::nodes).orElse(List.of()),
                coordinator,
                survivors,
                new IncidentReport.Restarts(restartsUsed, history.maxRestarts(), history.restartsWithin()));
    }

    // The time of its first cause; other events since the round before it belong to that round.
    private static Instant time(List<LoggedEvent> own) {
        return own.stream()
                .filter(event -> BEGINNINGS.contains(event.event().getClass()))
                .map(LoggedEvent::time)
                .min(Instant::compareTo)
                .or(() -> own.stream().map(LoggedEvent::time).max(Instant::compareTo))
                .orElse(Instant.EPOCH);
    }

    private Optional<LoggedEvent> end(long number) {
        List<LoggedEvent> ends = history.until(number);
        List<String> members = history.before(number).map(History.Sealed::nodes).orElse(List.of());
        return ends.stream()
                .filter(event -> event.is(RunEvent.RunEnded.class))
                .findFirst()
                .or(() -> ends.stream()
                        .filter(event -> event.is(RunEvent.AgentEnded.class)
                                && (members.isEmpty() || members.contains(event.node())))
                        .reduce((one, other) -> exitCode(one) >= exitCode(other) ? one : other));
    }

    /** Of the run or of an agent. */
    private static int exitCode(LoggedEvent end) {
        return end.as(RunEvent.OfEnd.class).map(RunEvent.OfEnd::exitCode).orElse(0);
    }

    private Outcome outcome(long number, Optional<History.Sealed> answer, Optional<LoggedEvent> end) {
        if (answer.isPresent()) {
            if (number == FIRST) {
                return Outcome.STARTED;
            }
            return history.restartsAll() || isRestartCommanded(number) ? Outcome.RESTARTED : Outcome.WENT_ON;
        } else if (end.isEmpty()) {
            return Outcome.WAITS;
        }
        int code = exitCode(end.get());
        if (end.get().is(RunEvent.RunEnded.class, Incidents::isStopped)) {
            return Outcome.STOPPED;
        }
        boolean isAsked = end.get().is(RunEvent.AgentEnded.class) && (code == 130 || code == 143);
        return code == 0 || end.get().is(RunEvent.RunEnded.class, RunEvent.RunEnded::succeeded)
                ? Outcome.SUCCEEDED
                : isAsked ? Outcome.LEFT : Outcome.FAILED;
    }

    private static boolean isStopped(RunEvent.RunEnded end) {
        return end.causes().stream().anyMatch(Cause.StopCommanded.class::isInstance);
    }

    private boolean isRestartCommanded(long number) {
        return history.of(number).stream()
                .flatMap(event -> event.as(RunEvent.OfCauses.class).stream())
                .flatMap(event -> event.causes().stream())
                .anyMatch(Cause.RestartCommanded.class::isInstance);
    }

    // What began it, and what let the run resume if that is something else.
    private String cause(long number, Optional<History.Sealed> answer) {
        String first = history.of(number).stream()
                .filter(event -> event.is(RunEvent.RoundSuspended.class) || event.is(RunEvent.RoundDecided.class))
                .flatMap(event -> event.as(RunEvent.OfCauses.class).stream())
                .map(RunEvent.OfCauses::cause)
                .findFirst()
                .orElse("");
        String last = answer.map(History.Sealed::cause).orElse(first);
        return first.isEmpty() || last.contains(first) ? last : first + ", then " + last;
    }

    private String coordinator(long number) {
        return history.of(number).stream()
                .filter(event -> event.is(RunEvent.RoundSealed.class) || event.is(RunEvent.RoundSuspended.class))
                .map(LoggedEvent::node)
                .collect(Collectors.collectingAndThen(
                        Collectors.toList(), all -> all.isEmpty() ? "" : all.get(all.size() - 1)));
    }

    private long lastKnown(long number) {
        return history.of(number).stream()
                .flatMap(event -> event.as(RunEvent.RoundSuspended.class).stream())
                .mapToLong(RunEvent.RoundSuspended::budgetUsed)
                .findFirst()
                .orElseGet(() ->
                        history.before(number).map(History.Sealed::restartsUsed).orElse(-1L));
    }

    private List<IncidentReport.KeptOut> keptOut(long number) {
        return history.of(number).stream()
                .flatMap(event -> event.as(RunEvent.NodeKeptOut.class).stream())
                .map(Incidents::keptOut)
                .distinct()
                .toList();
    }

    private static IncidentReport.KeptOut keptOut(RunEvent.NodeKeptOut event) {
        return new IncidentReport.KeptOut(
                event.kept(), event.why(), event.seconds().orElse(-1L));
    }

    private static String waited(List<LoggedEvent> own) {
        return own.stream()
                .flatMap(event -> event.as(RunEvent.RunWaiting.class).stream())
                .map(RunEvent.RunWaiting::message)
                .reduce((earlier, later) -> later)
                .orElse("");
    }
}
