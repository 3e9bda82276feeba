/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** What an incident cost. No two hosts' clocks are compared. Pure. */
final class Costs {
    private static final double NANOS = 1e6;

    private final History history;
    private final long incident;
    private final List<Double> starts;
    private final List<RunEvent> until;
    private final List<RunEvent> after;

    /** @param starts of {@link #starts} */
    Costs(History history, long incident, List<Double> starts) {
        this.history = history;
        this.incident = incident;
        this.starts = starts;
        this.until = history.until(incident);
        this.after = history.of(incident);
    }

    Cost find() {
        Optional<History.Sealed> answer = history.answer(incident);
        List<String> members = answer.map(this::members).orElse(List.of());
        List<Double> paused = new ArrayList<>();
        List<Double> resumed = new ArrayList<>();
        List<Double> stalled = new ArrayList<>();
        for (String node : members) {
            OptionalLong stop = stop(node);
            OptionalLong work = first(after, node, event -> event.is("work.published"));
            OptionalLong again = again(node, answer.orElseThrow().number());
            between(stop, work).ifPresent(paused::add);
            between(work, again).ifPresent(resumed::add);
            between(stop, again).ifPresent(stalled::add);
        }
        return new Cost(
                detected(),
                sealed(),
                max(paused),
                max(resumed),
                max(stalled),
                median(starts),
                starts.size(),
                stepsLost(),
                versionBefore(),
                versionAfter(),
                stepBefore().orElse(-1),
                untilLast(event -> event.is("run.ended")),
                untilLast(event -> event.is("workers.gone") || event.is("worker.exited")));
    }

    /** Who worked before and works again. */
    private List<String> members(History.Sealed round) {
        List<String> before =
                history.before(incident).map(History.Sealed::nodes).orElse(List.of());
        return round.nodes().stream().filter(before::contains).toList();
    }

    private double detected() {
        Optional<RunEvent> decision = decision();
        Optional<RunEvent> failure = until.stream()
                .filter(event -> event.is("incident.detected") && event.has("slot"))
                .filter(event -> decision.isPresent()
                        && history.isSameHost(event.node(), decision.get().node()))
                .findFirst();
        return failure.isEmpty()
                ? -1
                : Math.max(0, (decision.orElseThrow().nanos() - failure.get().nanos()) / NANOS);
    }

    private double sealed() {
        Optional<RunEvent> decision = decision();
        Optional<RunEvent> sealed =
                after.stream().filter(event -> event.is("round.sealed")).findFirst();
        boolean known = decision.isPresent()
                && sealed.isPresent()
                && sealed.get().node().equals(decision.get().node());
        return known ? (sealed.get().nanos() - decision.get().nanos()) / NANOS : -1;
    }

    private Optional<RunEvent> decision() {
        return after.stream()
                .filter(event -> event.is("incident.detected") && event.has("next_round"))
                .findFirst();
    }

    /** When the node's workers stopped to work for it. */
    private OptionalLong stop(String node) {
        return first(
                until,
                node,
                event -> event.is("incident.paused")
                        || event.is("workers.stopping")
                        || (event.is("incident.detected") && event.has("slot"))
                        || (event.is("worker.exited") && event.number("exit_code") != 0));
    }

    /** What workers say of themselves as they stop: members before they work again, others only as they end. */
    private Stream<RunEvent> lastWords() {
        Stream<RunEvent> members = history.answer(incident).stream().flatMap(round -> members(round).stream()
                .flatMap(node -> lastWords(node, stop(node), again(node, round.number()))));
        return Stream.concat(members, until.stream().filter(event -> event.is("worker.exited")));
    }

    private Stream<RunEvent> lastWords(String node, OptionalLong stop, OptionalLong again) {
        return Stream.concat(history.kind("pause.acknowledged", node), history.kind("worker.exited", node))
                .filter(event -> stop.isPresent() && event.nanos() >= stop.getAsLong())
                .filter(event -> again.isPresent() && event.nanos() <= again.getAsLong());
    }

    /** When its last worker worked in the round; of workers that tell nothing, when the last one was started in it. */
    private OptionalLong again(String node, long round) {
        OptionalLong resumed = history.kind("worker.resumed", node)
                .filter(event -> event.number("resumed_round") == round)
                .mapToLong(RunEvent::workerNanos)
                .max();
        if (resumed.isPresent()) {
            return resumed;
        }
        OptionalLong work = first(after, node, event -> event.is("work.published"));
        return history.kind("worker.started", node)
                .filter(event -> event.round() == round)
                .filter(event -> work.isPresent() && event.nanos() >= work.getAsLong())
                .mapToLong(RunEvent::nanos)
                .max();
    }

    /** Milliseconds of each worker that was started: until it was ready, and from WORK on until it worked. */
    static List<Double> starts(History history) {
        Map<String, RunEvent> ready = firsts(history.kind("worker.ready"), Costs::worker);
        Map<String, RunEvent> resumed = firsts(history.kind("worker.resumed"), Costs::worker);
        Map<String, RunEvent> published =
                firsts(history.kind("work.published"), event -> event.node() + "/" + event.round());
        return history.kind("worker.started")
                .filter(started -> resumed.containsKey(worker(started)))
                .map(started -> {
                    RunEvent first = Objects.requireNonNull(resumed.get(worker(started)));
                    RunEvent work = published.get(first.node() + "/" + first.number("resumed_round"));
                    long began = work == null ? started.nanos() : Math.max(work.nanos(), started.nanos());
                    RunEvent was = ready.get(worker(started));
                    long boot = was != null && was.nanos() < began ? was.nanos() - started.nanos() : 0;
                    return (boot + first.workerNanos() - began) / NANOS;
                })
                .toList();
    }

    private static String worker(RunEvent event) {
        return event.node() + "/" + event.number("slot") + "." + event.number("attempt");
    }

    private static Map<String, RunEvent> firsts(Stream<RunEvent> events, Function<RunEvent, String> key) {
        return events.collect(Collectors.toMap(key, Function.identity(), (first, later) -> first));
    }

    /** Of an incident that no round answered: from a node's first sign of it on, at the slowest node. */
    private double untilLast(Predicate<RunEvent> wanted) {
        if (history.answer(incident).isPresent()) {
            return -1;
        }
        Set<String> nodes = until.stream().map(RunEvent::node).collect(Collectors.toSet());
        List<Double> all = new ArrayList<>();
        for (String node : nodes) {
            long restored = last(node, event -> event.is("node.restored")).orElse(Long.MIN_VALUE);
            OptionalLong sign = first(until, node, event -> event.nanos() >= restored && isSign(event));
            between(sign, last(node, wanted)).ifPresent(all::add);
        }
        return max(all);
    }

    private OptionalLong last(String node, Predicate<RunEvent> wanted) {
        return until.stream()
                .filter(event -> event.node().equals(node) && wanted.test(event))
                .mapToLong(RunEvent::nanos)
                .max();
    }

    private static boolean isSign(RunEvent event) {
        return event.is("incident.detected")
                || event.is("incident.paused")
                || event.is("node.draining")
                || event.is("node.fenced")
                || event.is("run.ended")
                || event.is("workers.stopping")
                || (event.is("worker.exited") && event.number("exit_code") != 0);
    }

    private OptionalLong stepBefore() {
        return lastWords()
                .mapToLong(event -> event.number("step"))
                .filter(step -> step > 0)
                .max();
    }

    private long stepsLost() {
        OptionalLong before = stepBefore();
        OptionalLong next = after.stream()
                .filter(event -> event.is("worker.progressed"))
                .mapToLong(event -> event.number("step"))
                .filter(step -> step > 0)
                .min();
        return before.isEmpty() || next.isEmpty() ? -1 : Math.max(0, before.getAsLong() - (next.getAsLong() - 1));
    }

    private long versionBefore() {
        return lastWords().mapToLong(event -> event.number("version")).max().orElse(-1);
    }

    private long versionAfter() {
        return after.stream()
                .filter(event -> event.is("worker.resumed"))
                .mapToLong(event -> event.number("version"))
                .max()
                .orElse(-1);
    }

    private static OptionalLong first(List<RunEvent> events, String node, Predicate<RunEvent> wanted) {
        return events.stream()
                .filter(event -> event.node().equals(node) && wanted.test(event))
                .mapToLong(RunEvent::nanos)
                .min();
    }

    private static Optional<Double> between(OptionalLong from, OptionalLong to) {
        return from.isPresent() && to.isPresent()
                ? Optional.of(Math.max(0, (to.getAsLong() - from.getAsLong()) / NANOS))
                : Optional.empty();
    }

    private static double max(List<Double> all) {
        return all.stream().mapToDouble(Double::doubleValue).max().orElse(-1);
    }

    private static double median(List<Double> all) {
        OptionalDouble middle = DoubleStream.of(
                        all.stream().mapToDouble(Double::doubleValue).sorted().toArray())
                .skip(Math.max(0, (all.size() - 1) / 2))
                .findFirst();
        return middle.orElse(-1);
    }
}
