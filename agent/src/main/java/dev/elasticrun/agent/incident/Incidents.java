/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

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
 * From the events of all nodes to the incidents of the run. An event belongs to the incident whose round it was followed
 * by; hosts' wall clocks only put incidents' events in an order for people. Pure.
 */
public final class Incidents {
    private static final Set<String> BEGINNINGS = Set.of(
            "incident.detected",
            "incident.paused",
            "node.proved_dead",
            "node.lost",
            "round.suspended",
            "round.sealed",
            "run.stop_requested",
            "run.ended");

    /** The start of the run. */
    private static final long FIRST = 1;

    private final History history;
    private final List<Double> starts;

    private Incidents(List<RunEvent> events) {
        this.history = new History(events);
        this.starts = Costs.starts(history);
    }

    /**
     * In order. The last is the end of the run, if no round answered what happened.
     *
     * @param events of all nodes that are known, in any order
     */
    public static List<IncidentReport> of(List<RunEvent> events) {
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
    public static List<RunEvent> withoutPauses(List<RunEvent> events) {
        return new History(events).events();
    }

    /**
     * Since when incidents are known, if some node's older events are gone: the first moment, on the clock of that host, at
     * which all that is left begins.
     */
    public static Optional<Instant> knownSince(List<RunEvent> events) {
        return events.stream().collect(Collectors.groupingBy(RunEvent::node)).values().stream()
                .map(all -> all.stream().min(Comparator.comparingLong(RunEvent::nanos)))
                .flatMap(Optional::stream)
                .filter(event -> event.is("log.continued"))
                .map(RunEvent::time)
                .max(Instant::compareTo);
    }

    /** Whether something happened after the newest round that no round has answered: the end, or what is going on. */
    private boolean isOpen(long next) {
        List<RunEvent> since = history.until(next);
        Optional<History.Sealed> before = history.before(next);
        // Of a round whose events are gone all are members that say that they are in one.
        List<String> members = before.map(History.Sealed::nodes).orElseGet(() -> since.stream()
                .filter(event -> event.round() > 0)
                .map(RunEvent::node)
                .distinct()
                .toList());
        Set<String> ended = since.stream()
                .filter(event -> event.is("agent.ended"))
                .map(RunEvent::node)
                .collect(Collectors.toSet());
        boolean allEnded = !ended.isEmpty() && ended.containsAll(members);
        return allEnded
                || since.stream()
                        .anyMatch(event -> event.is("run.ended")
                                || (event.is("incident.detected") && members.contains(event.node()))
                                || (event.is("node.draining") && members.contains(event.node()))
                                || (event.is("node.proved_dead") && members.contains(event.text("dead"))));
    }

    private IncidentReport report(long number) {
        List<RunEvent> own = Stream.concat(history.until(number).stream(), history.of(number).stream())
                .toList();
        Optional<History.Sealed> answer = history.answer(number);
        List<Culprit> culprits = new Causes(history, number).find();
        Optional<RunEvent> end = answer.isPresent() ? Optional.empty() : end(number);
        Costs costs = new Costs(history, number, starts);
        return new IncidentReport(
                number,
                time(own),
                history.before(number).map(History.Sealed::number).orElse(0L),
                answer.map(History.Sealed::number).orElse(0L),
                cause(number, answer),
                culprits,
                outcome(number, answer, end),
                answer.map(History.Sealed::worldSize).orElse(0),
                answer.map(History.Sealed::nodes).orElse(List.of()),
                coordinator(number),
                answer.map(History.Sealed::restartsUsed).orElseGet(() -> lastKnown(number)),
                history.limits().getOrDefault("max_restarts", -1L),
                waited(own),
                keptOut(number),
                costs.survivors(),
                end.map(event -> event.text("reason")).orElse(""),
                costs.find());
    }

    private IncidentReport report(RoundPause pause) {
        Optional<History.Sealed> round = history.round(pause.round());
        return new IncidentReport(
                Math.max(FIRST, pause.incident()),
                pause.time(),
                pause.round(),
                pause.isOver() ? pause.round() : 0,
                "store not reachable",
                pause.culprits(),
                Outcome.PAUSED,
                round.map(History.Sealed::worldSize).orElse(0),
                round.map(History.Sealed::nodes).orElse(List.of()),
                "",
                round.map(History.Sealed::restartsUsed).orElse(-1L),
                history.limits().getOrDefault("max_restarts", -1L),
                "",
                List.of(),
                pause.survivors(),
                "",
                pause.cost());
    }

    /** Of what began it; what else happened since the round before it is the life of that round. */
    private static Instant time(List<RunEvent> own) {
        return own.stream()
                .filter(event -> BEGINNINGS.contains(event.kind()))
                .map(RunEvent::time)
                .min(Instant::compareTo)
                .or(() -> own.stream().map(RunEvent::time).max(Instant::compareTo))
                .orElse(Instant.EPOCH);
    }

    private Optional<RunEvent> end(long number) {
        List<RunEvent> ends = history.until(number);
        List<String> members = history.before(number).map(History.Sealed::nodes).orElse(List.of());
        return ends.stream().filter(event -> event.is("run.ended")).findFirst().or(() -> ends.stream()
                .filter(event -> event.is("agent.ended") && (members.isEmpty() || members.contains(event.node())))
                .reduce((one, other) -> one.number("exit_code") >= other.number("exit_code") ? one : other));
    }

    private Outcome outcome(long number, Optional<History.Sealed> answer, Optional<RunEvent> end) {
        if (answer.isPresent()) {
            if (number == FIRST) {
                return Outcome.STARTED;
            }
            return history.restartsAll() || isRestartCommanded(number) ? Outcome.RESTARTED : Outcome.WENT_ON;
        } else if (end.isEmpty()) {
            return Outcome.WAITS;
        }
        long code = end.get().number("exit_code");
        if (end.get().causes().stream().anyMatch(Cause.StopCommanded.class::isInstance)) {
            return Outcome.STOPPED;
        }
        boolean told = end.get().is("agent.ended") && (code == 130 || code == 143);
        return code == 0 || end.get().flag("succeeded") ? Outcome.SUCCEEDED : told ? Outcome.LEFT : Outcome.FAILED;
    }

    private boolean isRestartCommanded(long number) {
        return history.of(number).stream()
                .flatMap(event -> event.causes().stream())
                .anyMatch(Cause.RestartCommanded.class::isInstance);
    }

    /** What began it, and what let the run go on if that is something else. */
    private String cause(long number, Optional<History.Sealed> answer) {
        String first = history.of(number).stream()
                .filter(event ->
                        event.is("round.suspended") || (event.is("incident.detected") && event.has("next_round")))
                .map(event -> event.text("cause"))
                .findFirst()
                .orElse("");
        String last = answer.map(History.Sealed::cause).orElse(first);
        return first.isEmpty() || last.contains(first) ? last : first + ", then " + last;
    }

    private String coordinator(long number) {
        return history.of(number).stream()
                .filter(event -> event.is("round.sealed") || event.is("round.suspended"))
                .map(RunEvent::node)
                .collect(Collectors.collectingAndThen(
                        Collectors.toList(), all -> all.isEmpty() ? "" : all.get(all.size() - 1)));
    }

    private long lastKnown(long number) {
        return history.of(number).stream()
                .filter(event -> event.is("round.suspended"))
                .mapToLong(event -> event.number("budget_used"))
                .findFirst()
                .orElseGet(() ->
                        history.before(number).map(History.Sealed::restartsUsed).orElse(-1L));
    }

    private List<IncidentReport.KeptOut> keptOut(long number) {
        return history.of(number).stream()
                .filter(event -> event.is("node.kept_out"))
                .map(event ->
                        new IncidentReport.KeptOut(event.text("kept"), event.text("why"), event.number("seconds")))
                .distinct()
                .toList();
    }

    private static String waited(List<RunEvent> own) {
        return own.stream()
                .filter(event -> event.is("run.waiting"))
                .map(event -> event.text("message"))
                .reduce((earlier, later) -> later)
                .orElse("");
    }
}
