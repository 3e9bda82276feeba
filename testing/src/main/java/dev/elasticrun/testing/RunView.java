/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.testing;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the events of all nodes of a run report, folded one by one. Each node's events come in their order, those of different
 * nodes in any. Pure; not thread-safe.
 */
final class RunView {
    private final Map<String, Node> nodes = new TreeMap<>();
    private String coordinator = "";
    private long coordinatorNanos = Long.MIN_VALUE;
    private Optional<RunEvent.Root> rootCause = Optional.empty();

    /**
     * The newest process of a slot.
     *
     * @param resumedRound newest round in which it completed an operation; 0 = none
     */
    record Slot(String node, int slot, int attempt, long pid, long resumedRound, boolean exited) {
        private Slot resumed(long round) {
            return new Slot(node, slot, attempt, pid, Math.max(round, resumedRound), exited);
        }

        private Slot ended() {
            return new Slot(node, slot, attempt, pid, resumedRound, true);
        }
    }

    /** A worker of a round. */
    record Ranked(int rank, Slot slot) {}

    /**
     * The newest round in which workers work.
     *
     * @param workers whose processes are known, in the order of ranks
     */
    record Round(long number, int worldSize, List<Ranked> workers) {
        static final Round NONE = new Round(0, 0, List.of());

        Round {
            workers = List.copyOf(workers);
        }
    }

    private static final class Node {
        private final Map<Integer, Slot> slots = new TreeMap<>();
        private long agentPid;
        private long round;
        private Optional<RunEvent.WorkPublished> work = Optional.empty();
    }

    void apply(LoggedEvent logged) {
        Node node = nodes.computeIfAbsent(logged.node(), id -> new Node());
        RunEvent event = logged.event();
        if (event instanceof RunEvent.RunJoined joined) {
            node.agentPid = joined.pid();
        } else if (event instanceof RunEvent.CoordinatorElected) {
            if (logged.nanos() > coordinatorNanos) {
                coordinatorNanos = logged.nanos();
                coordinator = logged.node();
            }
        } else if (event instanceof RunEvent.WorkPublished work) {
            node.round = logged.round();
            node.work = Optional.of(work);
        } else if (event instanceof RunEvent.WorkerStarted started) {
            RunEvent.Worker worker = started.worker();
            node.slots.put(
                    worker.slot(), new Slot(logged.node(), worker.slot(), worker.attempt(), started.pid(), 0, false));
        } else if (event instanceof RunEvent.WorkerResumed resumed) {
            change(node, resumed.worker())
                    .ifPresent(slot -> node.slots.put(slot.slot(), slot.resumed(resumed.resumedRound())));
        } else if (event instanceof RunEvent.WorkerExited exited) {
            change(node, exited.worker()).ifPresent(slot -> node.slots.put(slot.slot(), slot.ended()));
        } else if (event instanceof RunEvent.RunEnded ended) {
            rootCause = rootCause.or(ended::root);
        }
    }

    private static Optional<Slot> change(Node node, RunEvent.Worker worker) {
        return Optional.ofNullable(node.slots.get(worker.slot())).filter(slot -> slot.attempt() == worker.attempt());
    }

    /** The node whose agent has this process id; of an agent that has started over the last one. */
    Optional<String> node(long agentPid) {
        return nodes.entrySet().stream()
                .filter(entry -> entry.getValue().agentPid == agentPid)
                .map(Map.Entry::getKey)
                .reduce((first, last) -> last);
    }

    /** The node that was elected last; empty = none was. */
    Optional<String> coordinator() {
        return Optional.of(coordinator).filter(node -> !node.isEmpty());
    }

    /** The worker that the run names as the root cause of its end. */
    Optional<RunEvent.Root> rootCause() {
        return rootCause;
    }

    /** Newest process of each slot of a node that has not exited, in the order of slots. */
    List<Slot> slots(String node) {
        return Optional.ofNullable(nodes.get(node))
                .map(known -> known.slots.values().stream()
                        .filter(slot -> !slot.exited())
                        .toList())
                .orElse(List.of());
    }

    /** The rank of a slot in the newest round. */
    OptionalInt rank(Slot wanted) {
        return round().workers().stream()
                .filter(worker -> worker.slot().equals(wanted))
                .mapToInt(Ranked::rank)
                .findFirst();
    }

    /** With processes that have exited, too: of a run that has ended it is the last round. */
    Round round() {
        long newest =
                nodes.values().stream().mapToLong(node -> node.round).max().orElse(0);
        if (newest == 0) {
            return Round.NONE;
        }
        List<Ranked> workers = new ArrayList<>();
        int worldSize = 0;
        for (Node node : nodes.values()) {
            if (node.round == newest && node.work.isPresent()) {
                RunEvent.WorkPublished work = node.work.get();
                worldSize = work.worldSize();
                for (int index = 0; index < work.slots().size(); index++) {
                    @Nullable Slot slot = node.slots.get(work.slots().get(index));
                    if (slot != null) {
                        workers.add(new Ranked(work.rank() + index, slot));
                    }
                }
            }
        }
        workers.sort(Comparator.comparingInt(Ranked::rank));
        return new Round(newest, worldSize, workers);
    }

    /** Whether all workers of the newest round run, and each has completed an operation in it. */
    boolean works(Predicate<Slot> runs) {
        Round round = round();
        return round.worldSize() > 0
                && round.workers().size() == round.worldSize()
                && round.workers().stream()
                        .map(Ranked::slot)
                        .allMatch(slot -> slot.resumedRound() >= round.number() && runs.test(slot));
    }

    /** The newest round in one line. */
    String describe() {
        Round round = round();
        if (round.number() == 0) {
            return "no round yet";
        }
        long together = round.workers().stream()
                .filter(worker -> worker.slot().resumedRound() >= round.number())
                .count();
        return "round " + round.number() + " of " + round.worldSize() + " workers, of which " + together
                + " have completed an operation in it";
    }
}
