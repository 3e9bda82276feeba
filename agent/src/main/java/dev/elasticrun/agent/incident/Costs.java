/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
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

/** Computes the cost of an incident. No two hosts' clocks are compared. Pure. */
final class Costs {
    private static final double NANOS = 1e6;

    private final History history;
    private final long incident;
    private final List<Double> starts;
    private final List<LoggedEvent> until;
    private final List<LoggedEvent> after;

    /** @param starts of {@link #starts} */
    Costs(History history, long incident, List<Double> starts) {
        this.history = history;
        this.incident = incident;
        this.starts = starts;
        this.until = history.until(incident);
        this.after = history.of(incident);
    }

    /** How long one member did not work, and when it received WORK; nanoseconds of its host. */
    private record Stall(String node, long stop, long work, long again) {
        long length() {
            return again - stop;
        }
    }

    Cost find() {
        Optional<Stall> slowest = slowest();
        return new Cost(
                slowest.map(this::phases).orElseGet(this::phasesSoFar),
                slowest.map(stall -> stall.length() / NANOS).orElse(-1.0),
                new Cost.Restart(median(starts), starts.size()),
                new Cost.Progress(stepBefore().orElse(-1), stepsLost(), versionBefore(), versionAfter()),
                new Cost.End(
                        untilLast(event -> event.is(RunEvent.RunEnded.class)),
                        untilLast(event ->
                                event.is(RunEvent.WorkersGone.class) || event.is(RunEvent.WorkerExited.class))));
    }

    private Optional<Stall> slowest() {
        Optional<History.Sealed> answer = history.answer(incident);
        List<Stall> stalls = new ArrayList<>();
        for (String node : answer.map(this::members).orElse(List.of())) {
            OptionalLong stop = stop(node);
            OptionalLong again = again(node, answer.orElseThrow().number());
            if (stop.isPresent() && again.isPresent()) {
                long work = first(after, node, event -> event.is(RunEvent.WorkPublished.class))
                        .orElse(stop.getAsLong());
                long began = Math.min(stop.getAsLong(), again.getAsLong());
                stalls.add(new Stall(node, began, between(began, work, again.getAsLong()), again.getAsLong()));
            }
        }
        return stalls.stream().max(Comparator.comparingLong(Stall::length));
    }

    // The phases at the member with the longest stall; with the coordinator's, if that is on the same host.
    private Cost.Phases phases(Stall stall) {
        double resumed = (stall.again() - stall.work()) / NANOS;
        Optional<LoggedEvent> decision = decision().filter(event -> history.isSameHost(event.node(), stall.node()));
        if (decision.isEmpty()) {
            return new Cost.Phases(-1, -1, (stall.work() - stall.stop()) / NANOS, resumed);
        }
        long began = failure(decision.get())
                .map(failed -> Math.min(failed.nanos(), stall.stop()))
                .orElse(Math.min(stall.stop(), decision.get().nanos()));
        long decided = between(began, decision.get().nanos(), stall.work());
        // A member may know the round before its coordinator receives the answer that it is written.
        long sealed = sealing(decision.get())
                .map(event -> between(decided, event.nanos(), stall.work()))
                .orElse(decided);
        return new Cost.Phases(
                (decided - began) / NANOS,
                sealing(decision.get()).isPresent() ? (sealed - decided) / NANOS : -1,
                (stall.work() - sealed) / NANOS,
                resumed);
    }

    // The phases while no member works again, or none reports it.
    private Cost.Phases phasesSoFar() {
        Optional<LoggedEvent> decision = decision();
        Optional<LoggedEvent> failure = decision.flatMap(this::failure);
        double detected = failure.isEmpty()
                ? -1
                : Math.max(0, (decision.orElseThrow().nanos() - failure.get().nanos()) / NANOS);
        double sealed = decision.flatMap(this::sealing)
                .map(event -> (event.nanos() - decision.orElseThrow().nanos()) / NANOS)
                .orElse(-1.0);
        return new Cost.Phases(detected, sealed, -1, -1);
    }

    private static long between(long least, long value, long most) {
        return Math.max(least, Math.min(value, most));
    }

    // The nodes that worked before and work again.
    private List<String> members(History.Sealed round) {
        List<String> before =
                history.before(incident).map(History.Sealed::nodes).orElse(List.of());
        return round.nodes().stream().filter(before::contains).toList();
    }

    /** The first failure on the host of the decision. */
    private Optional<LoggedEvent> failure(LoggedEvent decision) {
        return until.stream()
                .filter(event -> event.is(RunEvent.WorkerFailed.class))
                .filter(event -> history.isSameHost(event.node(), decision.node()))
                .findFirst();
    }

    private Optional<LoggedEvent> sealing(LoggedEvent decision) {
        return after.stream()
                .filter(event -> event.is(RunEvent.RoundSealed.class))
                .findFirst()
                .filter(event -> event.node().equals(decision.node()));
    }

    /**
     * The number of processes of members that continued in the round that answered the incident; -1 = their logs do not
     * show that. A process that ended between the first sign at its node and the work of the node's last worker did not
     * continue.
     */
    int survivors() {
        Optional<History.Sealed> answer = history.answer(incident);
        if (history.before(incident).isEmpty()) {
            return -1;
        }
        int survivors = 0;
        for (String node : answer.map(this::members).orElse(List.of())) {
            OptionalLong stop = stop(node);
            OptionalLong again = again(node, answer.orElseThrow().number());
            List<LoggedEvent> started =
                    history.kind(RunEvent.WorkerStarted.class, node).toList();
            Set<String> alive = resumed(node, answer.orElseThrow().number());
            boolean isKnown = !alive.isEmpty() || (!started.isEmpty() && !history.isCut(node));
            if (stop.isEmpty() || again.isEmpty() || !isKnown) {
                return -1;
            }
            if (alive.isEmpty()) {
                started.forEach(event -> alive.add(worker(event)));
            }
            // How an old process began may be forgotten, not how a new one did.
            started.stream()
                    .filter(event -> event.nanos() >= stop.getAsLong())
                    .forEach(event -> alive.remove(worker(event)));
            history.kind(RunEvent.WorkerExited.class, node)
                    .filter(event -> event.nanos() <= again.getAsLong())
                    .forEach(event -> alive.remove(worker(event)));
            survivors += alive.size();
        }
        return answer.isEmpty() ? -1 : survivors;
    }

    private Set<String> resumed(String node, long round) {
        return history.kind(RunEvent.WorkerResumed.class, node)
                .filter(event -> event.is(RunEvent.WorkerResumed.class, one -> one.resumedRound() == round))
                .map(Costs::worker)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private Optional<LoggedEvent> decision() {
        return after.stream()
                .filter(event -> event.is(RunEvent.RoundDecided.class))
                .findFirst();
    }

    // When the node's workers stopped working for the incident.
    private OptionalLong stop(String node) {
        return first(
                until,
                node,
                event -> event.is(RunEvent.IncidentPaused.class)
                        || event.is(RunEvent.WorkersStopping.class)
                        || event.is(RunEvent.WorkerFailed.class)
                        || isBadExit(event));
    }

    // Progress that workers report as they stop: members before they work again, others only as they end.
    private Stream<RunEvent.OfProgress> lastWords() {
        Stream<LoggedEvent> members = history.answer(incident).stream().flatMap(round -> members(round).stream()
                .flatMap(node -> lastWords(node, stop(node), again(node, round.number()))));
        return Stream.concat(members, until.stream().filter(event -> event.is(RunEvent.WorkerExited.class)))
                .flatMap(event -> event.as(RunEvent.OfProgress.class).stream());
    }

    private Stream<LoggedEvent> lastWords(String node, OptionalLong stop, OptionalLong again) {
        return Stream.concat(
                        history.kind(RunEvent.PauseAcknowledged.class, node),
                        history.kind(RunEvent.WorkerExited.class, node))
                .filter(event -> stop.isPresent() && event.nanos() >= stop.getAsLong())
                .filter(event -> again.isPresent() && event.nanos() <= again.getAsLong());
    }

    /** When its last worker worked in the round; of workers that report nothing, when the last one was started in it. */
    private OptionalLong again(String node, long round) {
        OptionalLong resumed = history.kind(RunEvent.WorkerResumed.class, node)
                .filter(event -> event.is(RunEvent.WorkerResumed.class, one -> one.resumedRound() == round))
                .mapToLong(LoggedEvent::workerNanos)
                .max();
        if (resumed.isPresent()) {
            return resumed;
        }
        OptionalLong work = first(after, node, event -> event.is(RunEvent.WorkPublished.class));
        return history.kind(RunEvent.WorkerStarted.class, node)
                .filter(event -> event.round() == round)
                .filter(event -> work.isPresent() && event.nanos() >= work.getAsLong())
                .mapToLong(LoggedEvent::nanos)
                .max();
    }

    /** Milliseconds of each worker that was started: until it was ready, and from WORK on until it worked. */
    static List<Double> starts(History history) {
        Map<String, LoggedEvent> ready = firsts(history.kind(RunEvent.WorkerReady.class), Costs::worker);
        Map<String, LoggedEvent> resumed = firsts(history.kind(RunEvent.WorkerResumed.class), Costs::worker);
        Map<String, LoggedEvent> published =
                firsts(history.kind(RunEvent.WorkPublished.class), event -> event.node() + "/" + event.round());
        return history.kind(RunEvent.WorkerStarted.class)
                .filter(started -> resumed.containsKey(worker(started)))
                .map(started -> {
                    LoggedEvent first = Objects.requireNonNull(resumed.get(worker(started)));
                    LoggedEvent work = published.get(first.node() + "/" + resumedRound(first));
                    long began = work == null ? started.nanos() : Math.max(work.nanos(), started.nanos());
                    LoggedEvent was = ready.get(worker(started));
                    long boot = was != null && was.nanos() < began ? was.nanos() - started.nanos() : 0;
                    return (boot + first.workerNanos() - began) / NANOS;
                })
                .toList();
    }

    private static String worker(LoggedEvent event) {
        return event.as(RunEvent.OfWorker.class)
                .map(RunEvent.OfWorker::worker)
                .map(worker -> event.node() + "/" + worker.slot() + "." + worker.attempt())
                .orElse("");
    }

    private static long resumedRound(LoggedEvent event) {
        return event.as(RunEvent.WorkerResumed.class)
                .map(RunEvent.WorkerResumed::resumedRound)
                .orElse(0L);
    }

    private static boolean isBadExit(LoggedEvent event) {
        return event.is(RunEvent.WorkerExited.class, exit -> exit.end().exitCode() != 0);
    }

    private static Map<String, LoggedEvent> firsts(Stream<LoggedEvent> events, Function<LoggedEvent, String> key) {
        return events.collect(Collectors.toMap(key, Function.identity(), (first, later) -> first));
    }

    // The duration of an incident that no round answered: from a node's first sign of it on, at the slowest node.
    private double untilLast(Predicate<LoggedEvent> wanted) {
        if (history.answer(incident).isPresent()) {
            return -1;
        }
        Set<String> nodes = until.stream().map(LoggedEvent::node).collect(Collectors.toSet());
        List<Double> all = new ArrayList<>();
        for (String node : nodes) {
            long restored =
                    last(node, event -> event.is(RunEvent.NodeRestored.class)).orElse(Long.MIN_VALUE);
            OptionalLong sign = first(until, node, event -> event.nanos() >= restored && isSign(event));
            between(sign, last(node, wanted)).ifPresent(all::add);
        }
        return max(all);
    }

    private OptionalLong last(String node, Predicate<LoggedEvent> wanted) {
        return until.stream()
                .filter(event -> event.node().equals(node) && wanted.test(event))
                .mapToLong(LoggedEvent::nanos)
                .max();
    }

    private static boolean isSign(LoggedEvent event) {
        return event.is(RunEvent.OfFailure.class)
                || event.is(RunEvent.RoundDecided.class)
                || event.is(RunEvent.IncidentPaused.class)
                || event.is(RunEvent.NodeDraining.class)
                || event.is(RunEvent.NodeFenced.class)
                || event.is(RunEvent.RunEnded.class)
                || event.is(RunEvent.WorkersStopping.class)
                || isBadExit(event);
    }

    private OptionalLong stepBefore() {
        return lastWords()
                .mapToLong(RunEvent.OfProgress::step)
                .filter(step -> step > 0)
                .max();
    }

    private long stepsLost() {
        OptionalLong before = stepBefore();
        OptionalLong next = after.stream()
                .flatMap(event -> event.as(RunEvent.WorkerProgressed.class).stream())
                .mapToLong(RunEvent.WorkerProgressed::step)
                .filter(step -> step > 0)
                .min();
        return before.isEmpty() || next.isEmpty() ? -1 : Math.max(0, before.getAsLong() - (next.getAsLong() - 1));
    }

    private long versionBefore() {
        return lastWords().mapToLong(RunEvent.OfProgress::version).max().orElse(-1);
    }

    private long versionAfter() {
        return after.stream()
                .flatMap(event -> event.as(RunEvent.WorkerResumed.class).stream())
                .mapToLong(RunEvent.WorkerResumed::version)
                .max()
                .orElse(-1);
    }

    private static OptionalLong first(List<LoggedEvent> events, String node, Predicate<LoggedEvent> wanted) {
        return events.stream()
                .filter(event -> event.node().equals(node) && wanted.test(event))
                .mapToLong(LoggedEvent::nanos)
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
