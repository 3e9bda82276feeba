/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import dev.elasticrun.rendezvous.codec.StoredRecords;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.sim.SimulatedStore;
import dev.elasticrun.rendezvous.sim.SimulatedStoreClient.Origin;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.worker.contract.WorkerEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What must hold of every document when it is written, and of every worker when it receives something. */
final class RunInvariants implements SimulatedStore.Observer {
    private final SimulatedCluster cluster;
    private final Set<Integer> usedMasters = new HashSet<>();
    private final ReturnInvariants returns;
    private final CommandInvariants commands;
    private final BudgetInvariants budget;
    private final WaitInvariants waits;
    private @Nullable Round newest;
    private @Nullable Verdict verdict;
    private final List<Verdict> verdicts = new ArrayList<>();
    private long verdictNanos;
    private long sealed;
    private Runnable afterRound = () -> {};
    private int failures;
    /** Newest worker groups that a round ordered to start again, by node: whoever was away obeys when it receives it. */
    private final Map<String, Integer> restarted = new HashMap<>();

    RunInvariants(SimulatedCluster cluster) {
        this.cluster = cluster;
        this.returns = new ReturnInvariants(cluster);
        this.commands = new CommandInvariants(cluster);
        this.budget = new BudgetInvariants(cluster);
        this.waits = new WaitInvariants(cluster);
    }

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    ReturnInvariants returns() {
        return returns;
    }

    CommandInvariants commands() {
        return commands;
    }

    @Nullable
    Round newest() {
        return newest;
    }

    @Nullable
    Verdict verdict() {
        return verdict;
    }

    /** Of all incarnations. */
    List<Verdict> verdicts() {
        return verdicts;
    }

    long verdictNanos() {
        return verdictNanos;
    }

    /** To be done after every round that is written. */
    void afterRound(Runnable task) {
        afterRound = task;
    }

    /** How many rounds were sealed, in all incarnations. */
    long sealed() {
        return sealed;
    }

    void onFailure() {
        failures++;
    }

    @Override
    public void onWritten(KeyValue entry, Origin writer) {
        checkStore(entry, writer);
        if (entry.key().startsWith(cluster.prefix() + "nodes/")) {
            returns.onRecord(entry);
        } else if (entry.key().startsWith(cluster.prefix() + "commands/")) {
            commands.onWritten(entry, () -> checkWriter(writer, "what became of a command"));
        } else if (entry.key().equals(cluster.prefix() + "target")) {
            checkWriter(writer, "the target");
        } else if (entry.key().endsWith("/spec")) {
            cluster.time.note("SPEC: a new incarnation");
            returns.onIncarnation();
            cluster.checkpoints.onIncarnation();
            commands.onIncarnation();
            budget.onIncarnation();
            waits.onIncarnation();
            newest = null;
            verdict = null;
            failures = 0;
        } else if (entry.key().endsWith("/round")) {
            checkWriter(writer, "a round");
            onRound(StoredRecords.round(entry.value()), entry.modRevision(), writer);
        } else if (entry.key().endsWith("/verdict")) {
            checkWriter(writer, "the verdict");
            require(verdict == null, "a second verdict");
            verdict = StoredRecords.verdict(entry.value());
            verdicts.add(verdict);
            checkVerdict(verdict);
            returns.onVerdict(verdict, writer);
            budget.onVerdict(verdict, newest);
            verdictNanos = cluster.time.nowNanos();
            cluster.time.note("VERDICT " + verdict.succeeded() + " " + verdict.exitCode() + " " + verdict.reason());
        }
    }

    @Override
    public void onDeleted(KeyValue last) {
        String prefix = cluster.prefix() + "nodes/";
        returns.onDeleted(last.key());
        if (last.key().startsWith(prefix)) {
            String nodeId = last.key().substring(prefix.length());
            cluster.time.note("GONE " + nodeId);
            cluster.node(nodeId).filter(node -> !node.crashed()).ifPresent(node -> node.workers()
                    .forEach(worker -> require(
                            !worker.works(), worker.name() + " works although its node is not in the run any more")));
        }
    }

    /** Nothing of a run goes on in a store that has lost it. */
    private void checkStore(KeyValue entry, Origin writer) {
        cluster.replaced.values().stream()
                .filter(node -> node.loop == writer.process())
                .forEach(node -> require(
                        false, node.nodeId + " wrote " + entry.key() + " to a store that knows nothing of its run"));
    }

    private void checkWriter(Origin writer, String what) {
        KeyValue coordinator = cluster.store.get(cluster.prefix() + "coordinator");
        String holder = coordinator == null ? "nobody" : new String(coordinator.value(), StandardCharsets.UTF_8);
        String wrote = cluster.nodes.stream()
                .filter(node -> node.loop == writer.process())
                .map(node -> node.nodeId)
                .findFirst()
                .orElse("?");
        require(holder.equals(wrote), wrote + " wrote " + what + ", but the coordinator is " + holder);
    }

    private static void checkVerdict(Verdict reached) {
        boolean known = List.of(
                        "no restart is left",
                        "nodes are there",
                        "no node can start",
                        "stopped by a worker",
                        "stopped by command")
                .stream()
                .anyMatch(reached.reason()::contains);
        require(reached.succeeded() || known, "a strange verdict: " + reached);
    }

    private void onRound(Round round, long revision, Origin writer) {
        cluster.time.note("ROUND " + round.number() + (round.suspended() ? " suspended " : " sealed ")
                + round.participants().stream()
                        .map(place -> place.nodeId() + "." + place.generation() + "x" + seats(place))
                        .toList()
                + " used " + round.budgetUsed() + " " + round.orders() + " " + round.cause());
        require(verdict == null, "a round after the verdict");
        Round previous = newest;
        commands.onRound(round, previous, revision);
        budget.onRound(round, previous, failures);
        if (round.amends(previous)) {
            newest = round;
            afterRound.run();
            return;
        }
        if (previous != null) {
            require(round.number() >= previous.number(), "the round number went back");
            require(
                    round.suspended() ? round.number() == previous.number() : round.number() == previous.number() + 1,
                    "a sealed number was written twice, or one was left out");
            require(round.world() >= previous.world(), "the world went back");
        }
        for (Order order : round.orders()) {
            if (order.kind() == Order.Kind.RESTART) {
                restarted.merge(order.nodeId(), order.generation(), Math::max);
            }
            boolean inRound = round.participant(order.nodeId())
                    .filter(place -> place.generation() == order.generation())
                    .isPresent();
            boolean waitsForIt = order.kind() == Order.Kind.REPLACE && round.suspended();
            // Under hard a node that backs off keeps its place until the next round is sealed without it.
            boolean backsOff = !cluster.soft()
                    && round.suspended()
                    && (order.kind() == Order.Kind.START || order.kind() == Order.Kind.LEAVE);
            require(
                    !inRound
                            || waitsForIt
                            || backsOff
                            || order.kind() == Order.Kind.DRAIN
                            || order.kind() == Order.Kind.SHRINK,
                    "an order to a group that is in the round: " + order);
        }
        returns.onRound(round, previous, writer);
        if (!round.suspended()) {
            onSealed(round, writer);
        }
        newest = round;
        afterRound.run();
        sealed += round.suspended() ? 0 : 1;
    }

    private static String seats(Participant place) {
        return place.seats().stream()
                .map(seat -> seat.slot() + "." + seat.attempt())
                .collect(Collectors.joining(","));
    }

    private void onSealed(Round round, Origin writer) {
        KeyRange nodes = KeyRange.prefix(cluster.prefix() + "nodes/");
        int rank = 0;
        require(round.participants().size() <= cluster.maxNodes(), "more nodes than the maximum");
        for (Participant place : round.participants()) {
            require(place.firstRank() == rank, "ranks with holes");
            rank += place.size();
            require(place.size() > 0, "a node without a worker");
            require(
                    cluster.strategy.elasticWorkers()
                            || place.size() == place.spec().slots(),
                    "not a rank for each worker");
            require(place.seats().stream().allMatch(seat -> seat.port() > 0), "a worker without a port");
            long goneAt = cluster.store.deletedAt(nodes.from() + place.nodeId());
            require(
                    goneAt <= place.createRevision() || !writer.knew(nodes, goneAt),
                    "a participant that the coordinator knew to be gone: " + place.nodeId());
            if (!cluster.soft()) {
                checkStopped(place);
            }
        }
        require(
                round.participants().stream()
                                .map(Participant::nodeId)
                                .distinct()
                                .count()
                        == round.participants().size(),
                "a node twice in a round");
        require(round.master().port() > 0, "a round without a master endpoint");
        require(usedMasters.add(round.master().port()), "a master endpoint was used twice");
        waits.onSealed(round, writer);
        cluster.checkpoints.onSealed(round, writer);
        long done = cluster.nodes.stream()
                .filter(node -> node.alive() && node.status().phase() == NodePhase.DONE)
                .count();
        // The same members go on when one of them was mended, also if the run was scaled to more meanwhile.
        boolean same = newest != null && newest.world() == round.world();
        require(
                same || round.participants().size() + done >= cluster.minNodes(),
                "a round below the minimum of " + cluster.minNodes());
    }

    /** Under {@code hard} nothing of earlier rounds may run on a node when the next round is sealed with it. */
    private void checkStopped(Participant place) {
        cluster.node(place.nodeId()).ifPresent(node -> node.workers().stream()
                .filter(worker -> worker.attempt < place.generation())
                .forEach(worker -> require(worker.exited(), worker.name() + " still runs, but a new round is sealed")));
    }

    /** A worker is about to work in a round. */
    void onWork(SimulatedWorker worker, WorkerEvent work) {
        require(!worker.node.status().stopped(), worker.name() + " received WORK after its agent's end");
        Round round = newest;
        if (round != null && round.number() == work.round() && worker.works()) {
            checkLife(worker);
            KeyValue key = cluster.store.get(cluster.prefix() + "nodes/" + worker.node.nodeId);
            Participant place = round.participant(worker.node.nodeId).orElse(null);
            require(
                    key == null || place == null || key.createRevision() == place.createRevision(),
                    worker.name() + " works in a round that names another life of its node");
        }
    }

    void onDeadline(SimulatedNode node) {
        node.workers().stream().filter(SimulatedWorker::works).forEach(this::checkLife);
    }

    private void checkLife(SimulatedWorker worker) {
        if (cluster.replaced.containsKey(worker.node.nodeId)) {
            require(
                    !worker.works()
                            || cluster.time.nowNanos()
                                    <= cluster.replacedNanos
                                            + cluster.config.lease().ttl().toNanos(),
                    worker.name() + " works although its store is gone for longer than the lease");
            return;
        }
        KeyValue key = cluster.store.get(cluster.prefix() + "nodes/" + worker.node.nodeId);
        require(
                key != null || !worker.works() || worker.node.crashed(),
                worker.name() + " works although its node is not in the run");
    }

    /** An agent begins to stop its workers. Under a soft policy there must be a reason on that node. */
    void onStop(SimulatedNode node) {
        boolean ordered = (newest != null && newest.order(node.nodeId).isPresent()) || isToRestart(node);
        if (cluster.soft() && !node.status().ending() && !ordered) {
            require(
                    !cluster.strategy.elasticWorkers()
                            && node.current().stream().anyMatch(SimulatedWorker::failed),
                    "healthy workers of " + node.nodeId + " are stopped");
        }
    }

    // An order is about all workers that were there when it was given; elastic ones may have been followed by others.
    private boolean isToRestart(SimulatedNode node) {
        Integer generation = restarted.get(node.nodeId);
        return generation != null
                && (cluster.strategy.elasticWorkers()
                        ? node.current().stream().anyMatch(worker -> worker.attempt <= generation)
                        : node.status().generation() == generation);
    }

    void onStart(SimulatedNode node, int slot) {
        require(
                node.current().stream().noneMatch(worker -> worker.slot == slot && !worker.exited()),
                "a second worker is started in slot " + slot + " of " + node.nodeId);
    }

    void onProvedDead(SimulatedNode prover, String deadNodeId) {
        require(
                cluster.node(deadNodeId).filter(SimulatedNode::alive).isEmpty(),
                prover.nodeId + " proved the death of " + deadNodeId + ", which lives");
    }

    void onExit(SimulatedNode node) {
        node.workers()
                .forEach(worker -> require(worker.exited(), worker.name() + " runs although its agent has ended"));
    }
}
