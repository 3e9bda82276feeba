/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static dev.elasticrun.agent.sim.RunInvariants.require;

import dev.elasticrun.rendezvous.codec.StoredRecords;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.store.KeyValue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What people ask for is done once and in order, whoever coordinates and whatever the store does: every request has one
 * number, every number is consumed by one write of the round or the verdict, and what was asked shows in that write.
 */
final class CommandInvariants {
    private final SimulatedCluster cluster;
    private final Map<Long, Command> asked = new TreeMap<>();
    private final Map<String, Long> numbers = new HashMap<>();
    private final Map<Long, Long> settledAt = new HashMap<>();
    private final Set<String> mayLeave = new HashSet<>();
    private int accepted;

    CommandInvariants(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    void onIncarnation() {
        asked.clear();
        numbers.clear();
        settledAt.clear();
        mayLeave.clear();
    }

    /** @param checkWriter fails unless the coordinator wrote it */
    void onWritten(KeyValue entry, Runnable checkWriter) {
        CommandResult stored = StoredRecords.command(entry);
        Command command = stored.command();
        long number = command.number();
        if (stored.round() < 0) {
            Long other = numbers.putIfAbsent(command.requestId(), number);
            require(other == null, "a request has the numbers " + other + " and " + number);
            require(asked.put(number, command) == null, "two commands have the number " + number);
            cluster.time.note("ASKED " + number + ": " + command.text());
            return;
        }
        checkWriter.run();
        require(asked.containsKey(number), "an answer to a command that nobody asked for: " + number);
        require(settledAt.put(number, entry.modRevision()) == null, "a command was consumed twice: " + number);
        if (stored.accepted()) {
            accepted++;
            if (command.kind() == Command.Kind.DRAIN) {
                mayLeave.add(command.nodeId());
            }
        }
        cluster.time.note("CONSUMED " + number + (stored.accepted() ? ": " : " refused: ") + stored.answer());
    }

    /** Called before the commands of the same transaction. */
    void onRound(Round round, @Nullable Round previous, long revision) {
        long before = previous == null ? 0 : previous.lastCommand();
        require(round.lastCommand() >= before, "commands would be consumed again");
        if (round.amends(previous)) {
            boolean isCommanded = round.lastCommand() > before;
            require(isCommanded || BudgetInvariants.isNews(round, previous), "a sealed number was written twice");
            require(
                    previous == null
                            || (nodes(round).equals(nodes(previous))
                                    && round.world() == previous.world()
                                    && (!isCommanded || round.restarts() == previous.restarts())),
                    "a sealed round was changed");
        }
        if (round.lastCommand() > before) {
            KeyValue answer = cluster.store.get(cluster.prefix() + "commands/" + round.lastCommand());
            if (answer == null || answer.modRevision() != revision) {
                throw new AssertionError(
                        "a round consumed command " + round.lastCommand() + " without an answer to it");
            }
            require(
                    asked.keySet().stream()
                            .noneMatch(number ->
                                    number > before && number < round.lastCommand() && !settledAt.containsKey(number)),
                    "commands before " + round.lastCommand() + " were passed over");
            checkReported(round, StoredRecords.command(answer));
        }
        for (Order order : round.orders()) {
            require(
                    order.kind() != Order.Kind.DRAIN || mayLeave.contains(order.nodeId()) || isNew(round, order),
                    "nobody asked for this: " + order);
        }
    }

    private boolean isNew(Round round, Order order) {
        Command command = asked.get(round.lastCommand());
        return command != null && command.nodeId().equals(order.nodeId());
    }

    private static void checkReported(Round round, CommandResult settled) {
        boolean drains = settled.accepted() && settled.command().kind() == Command.Kind.DRAIN;
        require(
                !drains
                        || round.orders().stream()
                                .anyMatch(order ->
                                        order.nodeId().equals(settled.command().nodeId())
                                                && order.kind() == Order.Kind.DRAIN),
                "the round does not ask " + settled.command().nodeId() + " to leave");
    }

    private static List<String> nodes(Round round) {
        return round.participants().stream().map(Participant::nodeId).toList();
    }

    /** How many were accepted, in all incarnations. */
    int accepted() {
        return accepted;
    }

    /** All that is in the store was answered. */
    void checkNothingWaits() {
        List<Command> waiting = asked.values().stream()
                .filter(command -> !settledAt.containsKey(command.number()))
                .toList();
        require(waiting.isEmpty(), "nobody answers " + waiting);
    }
}
