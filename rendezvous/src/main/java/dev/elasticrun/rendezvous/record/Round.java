/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.CauseText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One agreed membership with ranks. The number only grows.
 *
 * @param world the round in which the map from rank to (node, slot) last changed
 * @param suspended the membership is not complete: members pause (soft) or stop (hard) and wait for the next round
 * @param participants in rank order; of a suspended round, those that are left
 * @param standbys live nodes without a rank
 * @param masterAddress host of rank 0's master endpoint
 * @param masterPort its port, which serves this round only
 * @param causes why there is this round
 * @param orders to single nodes
 * @param budgetUsed restarts charged so far
 * @param lastCommand number of the last command consumed; 0 = none
 * @param checkpoint the newest that the run is known to have completed
 * @param incident number of the incident that this round ends or suspends for
 * @param history what the next coordinator has to know of nodes that made trouble
 * @param awaited of a suspended round, nodes that are gone and whose return, or successors, it waits for
 */
public record Round(
        long number,
        long world,
        boolean suspended,
        List<Participant> participants,
        List<String> standbys,
        String masterAddress,
        int masterPort,
        List<Cause> causes,
        WorldChange change,
        List<Order> orders,
        int budgetUsed,
        long lastCommand,
        RunVersion checkpoint,
        long incident,
        FailureHistory history,
        int awaited) {

    /** Before the first. */
    public static final Round NONE = new Round(
            0,
            0,
            false,
            List.of(),
            List.of(),
            "",
            0,
            List.of(),
            WorldChange.NONE,
            List.of(),
            0,
            0,
            RunVersion.NONE,
            0,
            FailureHistory.NONE,
            0);

    public Round {
        participants = participants instanceof IndexedParticipants ? participants : List.copyOf(participants);
        standbys = List.copyOf(standbys);
        orders = List.copyOf(orders);
        causes = List.copyOf(causes);
        if (number < 0) {
            throw new IllegalArgumentException("number: " + number + " (expected: >= 0)");
        }
    }

    /** Why there is this round, for display. */
    public String cause() {
        return CauseText.of(causes);
    }

    /** Whether it is suspended only until failed workers are replaced: the same members will have the same ranks. */
    public boolean replaces() {
        return suspended
                && change == WorldChange.NONE
                && orders.stream().anyMatch(order -> order.kind() == Order.Kind.REPLACE);
    }

    public Round withAwaited(int nodes) {
        return with(orders, lastCommand, checkpoint, nodes);
    }

    public Round withCheckpoint(RunVersion known) {
        return with(orders, lastCommand, known, awaited);
    }

    /** The same round, in which another command was consumed. */
    public Round withCommand(long number) {
        return with(orders, number, checkpoint, awaited);
    }

    /** The same round, which tells that node to leave. */
    public Round draining(Node node) {
        List<Order> told = new ArrayList<>(orders);
        told.removeIf(order -> order.nodeId().equals(node.nodeId()));
        told.add(new Order(node.nodeId(), Order.Kind.DRAIN, node.record().generation()));
        return with(told, lastCommand, checkpoint, awaited);
    }

    private Round with(List<Order> newOrders, long newLastCommand, RunVersion newCheckpoint, int newAwaited) {
        return new Round(
                number,
                world,
                suspended,
                participants,
                standbys,
                masterAddress,
                masterPort,
                causes,
                change,
                newOrders,
                budgetUsed,
                newLastCommand,
                newCheckpoint,
                incident,
                history,
                newAwaited);
    }

    /** Number of workers of the round. */
    public int worldSize() {
        return participants instanceof IndexedParticipants table
                ? table.worldSize()
                : participants.stream().mapToInt(Participant::slots).sum();
    }

    public Optional<Participant> participant(String nodeId) {
        return participants instanceof IndexedParticipants table
                ? table.find(nodeId)
                : participants.stream().filter(p -> p.nodeId().equals(nodeId)).findFirst();
    }

    /** Whether that node is told to leave the run. */
    public boolean sendsAway(String nodeId) {
        return order(nodeId).filter(order -> order.kind().isLast()).isPresent();
    }

    /** Whether the whole round is started over, and that node was in it. */
    public boolean startsOver(String nodeId) {
        return suspended
                && participants.isEmpty()
                && order(nodeId)
                        .filter(order -> order.kind() == Order.Kind.RESTART)
                        .isPresent();
    }

    /** Whether that node was told to start fresh workers, and has not begun to. */
    public boolean awaitsRestartOf(NodeRecord node) {
        return order(node.nodeId())
                .filter(order -> order.kind() == Order.Kind.RESTART && order.generation() >= node.generation())
                .isPresent();
    }

    /** Whether a person wants that node to leave the run. */
    public boolean drains(String nodeId) {
        return order(nodeId).filter(order -> order.kind() == Order.Kind.DRAIN).isPresent();
    }

    /** Whether it is the round before with no change but that commands were consumed. */
    public boolean amends(@Nullable Round before) {
        return !suspended
                && number == (before == null ? 0 : before.number())
                && (before == null || !before.suspended());
    }

    public Optional<Order> order(String nodeId) {
        return orders.stream().filter(order -> order.nodeId().equals(nodeId)).findFirst();
    }
}
