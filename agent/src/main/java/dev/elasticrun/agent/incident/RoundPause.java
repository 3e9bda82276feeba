/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

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
        private final List<RunEvent> events = new ArrayList<>();

        Part(String node, long round, long incident) {
            this.node = node;
            this.round = round;
            this.incident = incident;
        }

        void add(RunEvent event) {
            events.add(event);
        }

        long round() {
            return round;
        }

        List<RunEvent> events() {
            return events;
        }

        /** Whether PAUSE was written for its workers: otherwise they pause by themselves, or do not know of leases. */
        private boolean isPause() {
            return any("incident.paused");
        }

        /** Whether the node's workers went on in the same round. */
        boolean isOver() {
            return isPause() ? any("work.published") && any("worker.resumed") : any("node.restored");
        }

        private boolean any(String kind) {
            return events.stream().anyMatch(event -> event.is(kind));
        }

        private long began() {
            return events.stream().mapToLong(RunEvent::nanos).min().orElse(0);
        }

        private OptionalLong last(String kind) {
            return events.stream()
                    .filter(event -> event.is(kind))
                    .mapToLong(RunEvent::workerNanos)
                    .max();
        }

        private OptionalLong resumed() {
            return last(isPause() ? "worker.resumed" : "node.restored");
        }

        private double length() {
            OptionalLong again = resumed();
            return isOver() && again.isPresent() ? (again.getAsLong() - began()) / NANOS : -1;
        }

        private double untilWork() {
            OptionalLong work = last("work.published");
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
        return events(event -> true).map(RunEvent::time).min(Instant::compareTo).orElse(Instant.EPOCH);
    }

    List<Culprit> culprits() {
        return parts.stream()
                .map(part -> Culprit.node("store_unreachable", part.node, "lease", evidence(part)))
                .toList();
    }

    /** The store's own words are those of the end, or else of what is known so far. */
    private static String evidence(Part part) {
        return part.events.stream()
                .filter(event -> event.is("store.well") || event.is("store.trouble"))
                .max(Comparator.comparing((RunEvent event) -> event.is("store.well"))
                        .thenComparing(RunEvent::nanos))
                .map(event -> event.text("message"))
                .orElse("its lease was not renewed in time");
    }

    /** Processes that worked in the round again; -1 = it is not known. */
    int survivors() {
        boolean isKnown = isOver() && parts.stream().allMatch(Part::isPause);
        return isKnown
                ? (int) events(event -> event.is("worker.resumed"))
                        .map(event -> event.node() + "/" + event.number("slot"))
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
        OptionalLong step = events(event -> event.is("pause.acknowledged"))
                .mapToLong(event -> event.number("step"))
                .filter(one -> one > 0)
                .max();
        OptionalLong next = events(event -> event.is("worker.progressed"))
                .mapToLong(event -> event.number("step"))
                .filter(one -> one > 0)
                .min();
        return new Cost(
                -1,
                -1,
                untilWork < 0 ? length : untilWork,
                untilWork < 0 ? -1 : Math.max(0, length - untilWork),
                isPause ? length : -1,
                -1,
                0,
                step.isPresent() && next.isPresent() ? Math.max(0, step.getAsLong() - next.getAsLong() + 1) : -1,
                version("pause.acknowledged"),
                version("worker.resumed"),
                step.orElse(-1),
                -1,
                -1);
    }

    private long version(String kind) {
        return events(event -> event.is(kind))
                .mapToLong(event -> event.number("version"))
                .max()
                .orElse(-1);
    }

    private Stream<RunEvent> events(Predicate<RunEvent> wanted) {
        return parts.stream().flatMap(part -> part.events.stream()).filter(wanted);
    }
}
