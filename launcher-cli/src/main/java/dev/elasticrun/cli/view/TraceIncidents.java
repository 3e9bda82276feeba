/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.Incidents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongBinaryOperator;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** When incidents began and ended, and their phases; one after the other, so that they fit on one track. Pure. */
final class TraceIncidents {
    private final List<LoggedEvent> events;
    private final List<IncidentReport> reports;
    private final ToLongFunction<LoggedEvent> micros;
    private final long end;

    /**
     * @param reports in order
     * @param micros when an event happened
     * @param end of the trace
     */
    TraceIncidents(
            List<LoggedEvent> events, List<IncidentReport> reports, ToLongFunction<LoggedEvent> micros, long end) {
        this.events = events;
        this.reports = reports;
        this.micros = micros;
        this.end = end;
    }

    /** From and to in microseconds. */
    public record Phase(String name, long from, long to) {}

    /** @param phases one after the other, within it */
    record Incident(IncidentReport report, long from, long to, List<Phase> phases) {
        Incident {
            phases = List.copyOf(phases);
        }
    }

    List<Incident> all() {
        Map<Long, List<LoggedEvent>> byNumber =
                Incidents.withoutPauses(events).stream().collect(Collectors.groupingBy(LoggedEvent::incident));
        List<Incident> all = new ArrayList<>();
        long free = 0;
        for (IncidentReport report : reports) {
            OptionalLong began = began(report);
            if (began.isEmpty()) {
                continue;
            }
            long from = Math.max(free, began.getAsLong());
            Incident incident = incident(report, from, byNumber.getOrDefault(report.number(), List.of()));
            all.add(incident);
            free = incident.to();
        }
        return all;
    }

    /** Its first event, by the wall clock; empty = that is not shown. */
    private OptionalLong began(IncidentReport report) {
        return events.stream()
                .filter(event -> event.time().equals(report.time()))
                .mapToLong(micros)
                .min();
    }

    private Incident incident(IncidentReport report, long from, List<LoggedEvent> own) {
        List<Phase> phases = new ArrayList<>();
        long at = from;
        if (report.isPause()) {
            long took = TimeUnit.MILLISECONDS.toMicros(
                    Duration.between(report.time(), report.over()).toMillis());
            long to = report.isOpen() ? Math.max(from, end) : from + took;
            return new Incident(report, from, to, phases);
        }
        at = phase(phases, "detected", at, decided(own));
        // A member may read the round before its coordinator receives the answer to the write.
        at = phase(
                phases,
                "sealed",
                at,
                moment(
                        own,
                        Math::min,
                        event -> event.is(RunEvent.RoundSealed.class) || event.is(RunEvent.WorkPublished.class)));
        at = phase(
                phases, "work published", at, moment(own, Math::max, event -> event.is(RunEvent.WorkPublished.class)));
        at = phase(phases, "working again", at, resumed(own, report.answer().round()));
        // An incident without an answer continues.
        long to = report.answer().round() == 0 ? Math.max(at, end) : at;
        return new Incident(report, from, to, phases);
    }

    private static long phase(List<Phase> phases, String name, long from, OptionalLong to) {
        if (to.isEmpty()) {
            return from;
        }
        // Clocks of two nodes agree to a millisecond at best.
        long end = Math.max(from, to.getAsLong());
        phases.add(new Phase(name, from, end));
        return end;
    }

    private OptionalLong decided(List<LoggedEvent> own) {
        return moment(own, Math::min, event -> event.is(RunEvent.RoundDecided.class));
    }

    private OptionalLong resumed(List<LoggedEvent> own, long round) {
        return moment(
                own,
                Math::max,
                event -> event.is(RunEvent.WorkerResumed.class, resumed -> resumed.resumedRound() == round));
    }

    private OptionalLong moment(List<LoggedEvent> own, LongBinaryOperator which, Predicate<LoggedEvent> wanted) {
        return own.stream().filter(wanted).mapToLong(micros).reduce(which);
    }
}
