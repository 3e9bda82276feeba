/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.CauseText;
import dev.elasticrun.rendezvous.terms.UsedRestarts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One agreed membership with ranks. The number only grows.
 *
 * @param suspended the membership is not complete: members pause (soft) or stop (hard) and wait for the next round
 * @param orders to single nodes
 * @param awaited of a suspended round, nodes that are gone and whose return, or successors, it waits for
 */
public record Round(
        long number, boolean suspended, Ranks ranks, Reason reason, List<Order> orders, Ledger ledger, int awaited) {

    /** Before the first. */
    public static final Round NONE = new Round(
            0,
            false,
            new Ranks(0, List.of(), List.of(), new MasterEndpoint("", 0), List.of()),
            new Reason(List.of(), WorldChange.NONE, 0),
            List.of(),
            new Ledger(UsedRestarts.NONE, 0, RunVersion.NONE, FailureHistory.NONE, List.of()),
            0);

    /**
     * Which node has which ranks.
     *
     * @param world the round in which the map from rank to (node, slot) last changed
     * @param participants in rank order; of a suspended round, those that are left
     * @param standbys live nodes without a rank
     * @param sources nodes without a rank that hold, or can hold, a newer checkpoint than all participants; first those that
     *     worked last, then the newest
     */
    public record Ranks(
            long world,
            List<Participant> participants,
            List<String> standbys,
            MasterEndpoint master,
            List<StateSource> sources) {
        public Ranks {
            participants = participants instanceof IndexedParticipants ? participants : List.copyOf(participants);
            standbys = List.copyOf(standbys);
            sources = List.copyOf(sources);
        }
    }

    /**
     * Why there is a round.
     *
     * @param incident number of the incident that it ends or suspends for
     */
    public record Reason(List<Cause> causes, WorldChange change, long incident) {
        public Reason {
            causes = List.copyOf(causes);
        }
    }

    /**
     * The state that passes from round to round, regardless of which node coordinates.
     *
     * @param used of the restart budget
     * @param lastCommand number of the last command consumed; 0 = none
     * @param checkpoint the newest that the run is known to have completed
     * @param history the failure history of nodes, for the next coordinator
     * @param masters which endpoints of live nodes were used, at most one entry for each registration
     */
    public record Ledger(
            UsedRestarts used,
            long lastCommand,
            RunVersion checkpoint,
            FailureHistory history,
            List<UsedMaster> masters) {
        public Ledger {
            masters = List.copyOf(masters);
        }

        Ledger withUsed(UsedRestarts newUsed) {
            return new Ledger(newUsed, lastCommand, checkpoint, history, masters);
        }

        Ledger withLastCommand(long command) {
            return new Ledger(used, command, checkpoint, history, masters);
        }

        Ledger withCheckpoint(RunVersion known) {
            return new Ledger(used, lastCommand, known, history, masters);
        }
    }

    public Round {
        orders = List.copyOf(orders);
        if (number < 0) {
            throw new IllegalArgumentException("number: " + number + " (expected: >= 0)");
        }
    }

    public long world() {
        return ranks.world();
    }

    public List<Participant> participants() {
        return ranks.participants();
    }

    public MasterEndpoint master() {
        return ranks.master();
    }

    public List<Cause> causes() {
        return reason.causes();
    }

    public WorldChange change() {
        return reason.change();
    }

    public long incident() {
        return reason.incident();
    }

    public UsedRestarts used() {
        return ledger.used();
    }

    /** Restarts that counted when the round was decided. */
    public int budgetUsed() {
        return ledger.used().counted();
    }

    /** Restarts charged since the run began, whether they still count or not. */
    public int restarts() {
        return ledger.used().total();
    }

    public long lastCommand() {
        return ledger.lastCommand();
    }

    public RunVersion checkpoint() {
        return ledger.checkpoint();
    }

    public FailureHistory history() {
        return ledger.history();
    }

    /** Which endpoints of live nodes this round and earlier ones have used. */
    public List<UsedMaster> usedMasters() {
        return ledger.masters();
    }

    /** Why there is this round, for display. */
    public String cause() {
        return CauseText.of(causes());
    }

    /** Whether it is suspended only until failed workers are replaced: the same members will have the same ranks. */
    public boolean replaces() {
        return suspended
                && change() == WorldChange.NONE
                && orders.stream().anyMatch(order -> order.kind() == Order.Kind.REPLACE);
    }

    public Round withAwaited(int nodes) {
        return with(orders, ledger, nodes);
    }

    public Round withCheckpoint(RunVersion known) {
        return with(orders, ledger.withCheckpoint(known), awaited);
    }

    /** The same round, in which another command was consumed. */
    public Round withCommand(long command) {
        return with(orders, ledger.withLastCommand(command), awaited);
    }

    /** The same round with what is used of the budget by now. */
    public Round withUsed(UsedRestarts restarts) {
        return with(orders, ledger.withUsed(restarts), awaited);
    }

    /** The same round, with an order for that node to leave. */
    public Round draining(Node node) {
        return ordering(node, Order.Kind.DRAIN);
    }

    /** The same round, with that order for the node instead of what it has. */
    public Round ordering(Node node, Order.Kind kind) {
        List<Order> changed = new ArrayList<>(orders);
        changed.removeIf(order -> order.nodeId().equals(node.nodeId()));
        changed.add(new Order(node.nodeId(), kind, node.record().generation()));
        return with(changed, ledger, awaited);
    }

    private Round with(List<Order> newOrders, Ledger newLedger, int newAwaited) {
        return new Round(number, suspended, ranks, reason, newOrders, newLedger, newAwaited);
    }

    /** Number of workers of the round. */
    public int worldSize() {
        return participants() instanceof IndexedParticipants table
                ? table.worldSize()
                : participants().stream().mapToInt(Participant::size).sum();
    }

    public Optional<Participant> participant(String nodeId) {
        return participants() instanceof IndexedParticipants table
                ? table.find(nodeId)
                : participants().stream().filter(p -> p.nodeId().equals(nodeId)).findFirst();
    }

    /** All places by node id: for more than a few, as each search of a large round goes through all of it. */
    public Map<String, Participant> places() {
        return participants().stream()
                .collect(Collectors.toMap(Participant::nodeId, Function.identity(), (first, second) -> first));
    }

    /** The place of that node, if one of its present workers has a rank. */
    public Optional<Participant> placeOf(NodeRecord node) {
        return participant(node.nodeId()).filter(place -> node.group().workers().stream()
                .anyMatch(
                        worker -> place.rankOf(worker.slot(), worker.attempt()).isPresent()));
    }

    /** Whether that node has an order to leave the run. */
    public boolean sendsAway(String nodeId) {
        return order(nodeId).filter(order -> order.kind().isLast()).isPresent();
    }

    /** Whether the whole round is started over, and that node was in it. */
    public boolean startsOver(String nodeId) {
        return suspended
                && participants().isEmpty()
                && order(nodeId)
                        .filter(order -> order.kind() == Order.Kind.RESTART)
                        .isPresent();
    }

    /**
     * Whether that node has an order to start fresh workers, and has not begun to.
     *
     * @param elasticWorkers whether the policy has its workers replaced one by one. Then a replaced worker makes another
     *     group, and an order to restart is about all of that, too
     */
    public boolean awaitsFreshWorkersOf(NodeRecord node, boolean elasticWorkers) {
        return order(node.nodeId())
                .filter(order -> switch (order.kind()) {
                    case RESTART ->
                        order.generation() >= node.generation()
                                || (elasticWorkers && order.isAboutAnyOf(node.attempts()));
                    case REPLACE -> order.generation() >= node.generation();
                    case SHRINK, START, LEAVE, DRAIN -> false;
                })
                .isPresent();
    }

    /** Whether that node has an order to continue without fresh workers for those that ended. */
    public boolean shrinks(String nodeId) {
        return order(nodeId).filter(order -> order.kind() == Order.Kind.SHRINK).isPresent();
    }

    /** Whether that node has an order to leave the run because a user asked for it. */
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
