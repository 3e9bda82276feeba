/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.cli.chaos.fault.Fault;
import dev.elasticrun.rendezvous.restart.Cause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * What followed from each fault, by the events of all agents, which are on the clock of one host. Pure.
 *
 * <p>A fault is answered by the first round that was decided on because of it, or, if the members had to wait first, by
 * the round that ends their wait, whatever that one is because of. When the next fault ends that round before all its
 * workers work, the recovery lasts until a later round in which they do.
 */
final class Recoveries {
    /** The coordinator may have received a failure, and decided, before the agent recorded it. */
    private static final long REPORTED_LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final List<LoggedEvent> decisions;
    private final NavigableMap<Long, Working> rounds = new TreeMap<>();
    /** By process id, which the system gives again after some ten thousand processes; of one id in order. */
    private final Map<Long, List<LoggedEvent>> failures = new HashMap<>();

    /**
     * A round in which all workers worked.
     *
     * @param nanos when the last one did
     */
    private record Working(long number, int worldSize, long nanos) {}

    /** @param events of all nodes, in the order of {@link LoggedEvent#nanos} */
    Recoveries(List<LoggedEvent> events) {
        this.decisions = events.stream()
                .filter(event -> event.is(RunEvent.RoundDecided.class))
                .toList();
        Map<Long, Integer> sizes = new HashMap<>();
        Map<Long, Map<String, Long>> workers = new HashMap<>();
        boolean isReported = events.stream().anyMatch(event -> event.is(RunEvent.WorkerResumed.class));
        for (LoggedEvent event : events) {
            if (event.event() instanceof RunEvent.WorkPublished published) {
                sizes.put(event.round(), published.worldSize());
                if (!isReported) {
                    published
                            .slots()
                            .forEach(slot -> add(workers, event.round(), event.node() + "/" + slot, event.nanos()));
                }
            } else if (event.event() instanceof RunEvent.WorkerResumed resumed) {
                String worker = event.node() + "/" + resumed.worker().slot();
                add(workers, resumed.resumedRound(), worker, event.workerNanos());
            } else if (event.event() instanceof RunEvent.WorkerFailed failed) {
                failures.computeIfAbsent(failed.end().pid(), pid -> new ArrayList<>())
                        .add(event);
            }
        }
        workers.forEach((round, working) -> {
            int size = sizes.getOrDefault(round, Integer.MAX_VALUE);
            if (working.size() >= size) {
                long last = working.values().stream()
                        .mapToLong(Long::longValue)
                        .max()
                        .orElseThrow();
                rounds.put(round, new Working(round, size, last));
            }
        });
    }

    private static void add(Map<Long, Map<String, Long>> workers, long round, String worker, long nanos) {
        workers.computeIfAbsent(round, number -> new HashMap<>()).putIfAbsent(worker, nanos);
    }

    /** In the order of the faults; those that were left out are not in it. */
    List<Recovery> of(List<Fault> faults) {
        List<Recovery> recoveries = new ArrayList<>();
        for (Fault fault : faults) {
            if (fault.isInjected()) {
                recoveries.add(fault.kind().concernsAgent() ? ofAgent(fault, faults) : ofWorker(fault, faults));
            }
        }
        return recoveries;
    }

    private Recovery ofWorker(Fault fault, List<Fault> faults) {
        // A stopped worker may be killed by a later fault, which is reported then.
        Optional<LoggedEvent> failure = failures.getOrDefault(fault.pid(), List.of()).stream()
                .filter(event -> event.nanos() >= fault.nanos())
                .findFirst()
                .filter(event -> !isOfLaterFault(event, fault, faults));
        if (failure.isEmpty()) {
            return Recovery.none(fault, Recovery.Outcome.NOT_REPORTED, OptionalLong.empty());
        }
        LoggedEvent reported = failure.get();
        OptionalLong detected = OptionalLong.of(reported.nanos() - fault.nanos());
        if (reported.is(RunEvent.WorkerFailed.class, failed -> failed.rank() < 0)) {
            return Recovery.none(fault, Recovery.Outcome.WITHOUT_RANK, detected);
        }
        long since = Math.max(fault.nanos(), reported.nanos() - REPORTED_LATE_NANOS);
        Optional<LoggedEvent> about = decisions.stream()
                .filter(event -> event.nanos() >= since)
                .filter(event -> event.is(RunEvent.RoundDecided.class, decided -> decided.causes().stream()
                        .anyMatch(cause -> isAbout(cause, reported.node()))))
                .findFirst();
        return recovered(fault, detected, about.flatMap(this::answer));
    }

    /** The number of the round that a decision leads to. */
    private Optional<Long> answer(LoggedEvent decision) {
        return decisions.stream()
                .filter(event -> event.nanos() >= decision.nanos())
                .flatMap(event -> event.as(RunEvent.RoundDecided.class).stream())
                .filter(decided -> !decided.suspended())
                .map(RunEvent.RoundDecided::nextRound)
                .findFirst();
    }

    private Recovery ofAgent(Fault fault, List<Fault> faults) {
        Optional<LoggedEvent> about = decisions.stream()
                .filter(event -> event.nanos() >= fault.nanos())
                .filter(event -> event.is(RunEvent.RoundDecided.class, decided -> decided.causes().stream()
                        .anyMatch(cause -> cause instanceof Cause.NodesLost lost
                                && lost.nodes().contains(fault.node()))))
                .findFirst();
        // An agent that was cut off for a time without a decision may be killed by a later fault.
        if (about.isEmpty() || isOfLaterFault(about.get(), fault, faults)) {
            return Recovery.none(fault, Recovery.Outcome.NOT_REPORTED, OptionalLong.empty());
        }
        OptionalLong detected = OptionalLong.of(about.get().nanos() - fault.nanos());
        return recovered(fault, detected, answer(about.get()));
    }

    private static boolean isOfLaterFault(LoggedEvent reported, Fault fault, List<Fault> faults) {
        return faults.stream()
                .anyMatch(other -> other.pid() == fault.pid()
                        && other.nanos() > fault.nanos()
                        && other.nanos() <= reported.nanos());
    }

    private Recovery recovered(Fault fault, OptionalLong detected, Optional<Long> answer) {
        Optional<Working> next = answer.flatMap(number -> after(fault, number, 0));
        if (next.isEmpty()) {
            return Recovery.none(fault, Recovery.Outcome.OPEN, detected);
        }
        int before = rounds.values().stream()
                .filter(round -> round.nanos() < fault.nanos())
                .mapToInt(Working::worldSize)
                .max()
                .orElse(0);
        OptionalLong complete = after(fault, answer.orElseThrow(), before)
                .map(round -> OptionalLong.of(round.nanos() - fault.nanos()))
                .orElse(OptionalLong.empty());
        return new Recovery(
                fault,
                Recovery.Outcome.RECOVERED,
                detected,
                OptionalLong.of(next.get().nanos() - fault.nanos()),
                complete);
    }

    private Optional<Working> after(Fault fault, long number, int worldSize) {
        return rounds.tailMap(number, true).values().stream()
                .filter(round -> round.worldSize() >= worldSize && round.nanos() >= fault.nanos())
                .findFirst();
    }

    private static boolean isAbout(Cause cause, String node) {
        return (cause instanceof Cause.WorkersFailed failed && failed.nodes().contains(node))
                || (cause instanceof Cause.NodesLost lost && lost.nodes().contains(node));
    }
}
