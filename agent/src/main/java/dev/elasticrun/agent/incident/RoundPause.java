/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** One pause within a round, at all nodes that had it. */
final class RoundPause {
    private static final double NANOS = 1e6;

    private final List<Part> parts;

    RoundPause(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /** What one node wrote of it, in its order. */
    static final class Part {
        private final String node;
        private final long round;
        private final long incident;
        private final List<LoggedEvent> events = new ArrayList<>();

        Part(String node, long round, long incident) {
            this.node = node;
            this.round = round;
            this.incident = incident;
        }

        void add(LoggedEvent event) {
            events.add(event);
        }

        long round() {
            return round;
        }

        List<LoggedEvent> events() {
            return events;
        }

        // Whether PAUSE was written for its workers: otherwise they pause by themselves, or do not read leases.
        private boolean isPause() {
            return any(RunEvent.IncidentPaused.class);
        }

        /** Whether the node's workers resumed in the same round. */
        boolean isOver() {
            return isPause()
                    ? any(RunEvent.WorkPublished.class) && any(RunEvent.WorkerResumed.class)
                    : any(RunEvent.NodeRestored.class);
        }

        private boolean any(Class<? extends RunEvent> type) {
            return events.stream().anyMatch(event -> event.is(type));
        }

        private long began() {
            return events.stream().mapToLong(LoggedEvent::nanos).min().orElse(0);
        }

        private OptionalLong last(Class<? extends RunEvent> type) {
            return events.stream()
                    .filter(event -> event.is(type))
                    .mapToLong(LoggedEvent::workerNanos)
                    .max();
        }

        private OptionalLong resumed() {
            return last(isPause() ? RunEvent.WorkerResumed.class : RunEvent.NodeRestored.class);
        }

        private double length() {
            OptionalLong again = resumed();
            return isOver() && again.isPresent() ? (again.getAsLong() - began()) / NANOS : -1;
        }

        private double untilWork() {
            OptionalLong work = last(RunEvent.WorkPublished.class);
            return isOver() && work.isPresent() ? (work.getAsLong() - began()) / NANOS : -1;
        }
    }

    long round() {
        return parts.get(0).round;
    }

    /** That which led to the round. */
    long incident() {
        return parts.get(0).incident;
    }

    boolean isOver() {
        return parts.stream().allMatch(Part::isOver);
    }

    Instant time() {
        return events(event -> true)
                .map(LoggedEvent::time)
                .min(Instant::compareTo)
                .orElse(Instant.EPOCH);
    }

    List<Culprit> culprits() {
        return parts.stream()
                .<Culprit>map(part -> new Culprit.OfNode(
                        Culprit.What.STORE_UNREACHABLE, part.node, Culprit.Source.LEASE, evidence(part)))
                .toList();
    }

    // The message of the event that ended the outage, or else of the newest one so far.
    private static String evidence(Part part) {
        return part.events.stream()
                .filter(event -> event.is(RunEvent.StoreWell.class) || event.is(RunEvent.StoreTrouble.class))
                .max(Comparator.comparing((LoggedEvent event) -> event.is(RunEvent.StoreWell.class))
                        .thenComparing(LoggedEvent::nanos))
                .map(RoundPause::message)
                .orElse("its lease was not renewed in time");
    }

    private static String message(LoggedEvent event) {
        return event.as(RunEvent.StoreWell.class)
                .map(RunEvent.StoreWell::message)
                .or(() -> event.as(RunEvent.StoreTrouble.class).map(RunEvent.StoreTrouble::message))
                .orElse("");
    }

    /** Processes that worked in the round again; -1 = it is not known. */
    int survivors() {
        boolean isKnown = isOver() && parts.stream().allMatch(Part::isPause);
        return isKnown
                ? (int) events(event -> event.is(RunEvent.WorkerResumed.class))
                        .map(event -> event.node() + "/"
                                + event.as(RunEvent.WorkerResumed.class)
                                        .map(resumed -> resumed.worker().slot())
                                        .orElse(0))
                        .distinct()
                        .count()
                : -1;
    }

    Cost cost() {
        boolean isPause = parts.stream().anyMatch(Part::isPause);
        Part longest =
                parts.stream().max(Comparator.comparingDouble(Part::length)).orElseThrow();
        double length = isOver() ? longest.length() : -1;
        double untilWork = isOver() ? longest.untilWork() : -1;
        OptionalLong step = all(RunEvent.PauseAcknowledged.class)
                .mapToLong(RunEvent.PauseAcknowledged::step)
                .filter(one -> one > 0)
                .max();
        OptionalLong next = all(RunEvent.WorkerProgressed.class)
                .mapToLong(RunEvent.WorkerProgressed::step)
                .filter(one -> one > 0)
                .min();
        return new Cost(
                new Cost.Phases(
                        -1,
                        -1,
                        untilWork < 0 ? length : untilWork,
                        untilWork < 0 ? -1 : Math.max(0, length - untilWork)),
                isPause ? length : -1,
                Cost.Restart.NONE,
                new Cost.Progress(
                        step.orElse(-1),
                        step.isPresent() && next.isPresent()
                                ? Math.max(0, step.getAsLong() - next.getAsLong() + 1)
                                : -1,
                        all(RunEvent.PauseAcknowledged.class)
                                .mapToLong(RunEvent.PauseAcknowledged::version)
                                .max()
                                .orElse(-1),
                        all(RunEvent.WorkerResumed.class)
                                .mapToLong(RunEvent.WorkerResumed::version)
                                .max()
                                .orElse(-1)),
                Cost.End.NONE);
    }

    private <E extends RunEvent> Stream<E> all(Class<E> type) {
        return events(event -> event.is(type)).map(LoggedEvent::event).map(type::cast);
    }

    private Stream<LoggedEvent> events(Predicate<LoggedEvent> wanted) {
        return parts.stream().flatMap(part -> part.events.stream()).filter(wanted);
    }
}
