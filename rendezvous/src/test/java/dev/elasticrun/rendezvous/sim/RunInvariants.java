/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.sim;

import dev.elasticrun.rendezvous.Order;
import dev.elasticrun.rendezvous.Participant;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.StoredRecords;
import dev.elasticrun.rendezvous.Verdict;
import dev.elasticrun.rendezvous.store.KeyValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What must hold of every document that is written, in the order in which they are. */
final class RunInvariants {
    private final SimulatedTime time;
    private final int budget;
    private final int maxNodes;
    private final Set<Integer> usedMasters = new HashSet<>();
    private final List<Round> rounds = new ArrayList<>();
    private @Nullable Verdict verdict;
    private long sealed;

    RunInvariants(SimulatedTime time, int budget, int maxNodes) {
        this.time = time;
        this.budget = budget;
        this.maxNodes = maxNodes;
    }

    void onWritten(KeyValue entry) {
        if (entry.key().endsWith("/spec")) {
            time.note("SPEC: a new incarnation");
            rounds.clear();
            verdict = null;
        } else if (entry.key().endsWith("/round")) {
            onRound(StoredRecords.round(entry.value()));
        } else if (entry.key().endsWith("/verdict")) {
            require(verdict == null, "a second verdict");
            verdict = StoredRecords.verdict(entry.value());
            time.note("VERDICT " + verdict.succeeded() + " " + verdict.exitCode() + " " + verdict.reason());
        }
    }

    private void onRound(Round round) {
        time.note("ROUND " + round.number() + (round.suspended() ? " suspended " : " sealed ")
                + round.participants().stream()
                        .map(p -> p.nodeId() + "." + p.generation())
                        .toList()
                + " used " + round.budgetUsed() + " " + round.orders() + " " + round.cause());
        require(verdict == null, "a round after the verdict");
        Round previous = newest();
        if (previous != null) {
            require(round.number() >= previous.number(), "the round number went back");
            require(
                    round.suspended() ? round.number() == previous.number() : round.number() == previous.number() + 1,
                    "a sealed number was written twice, or one was left out");
            require(round.budgetUsed() >= previous.budgetUsed(), "the budget was given back");
            require(round.world() >= previous.world(), "the world went back");
        }
        require(round.budgetUsed() <= budget, "the budget was exceeded");
        require(round.participants().size() <= maxNodes, "more nodes than the maximum");
        if (!round.suspended()) {
            int rank = 0;
            for (Participant participant : round.participants()) {
                require(participant.firstRank() == rank, "ranks with holes");
                rank += participant.slots();
                require(participant.workerPorts().stream().allMatch(port -> port > 0), "a worker without a port");
            }
            require(
                    round.participants().stream()
                                    .map(Participant::nodeId)
                                    .distinct()
                                    .count()
                            == rank,
                    "a node twice in a round");
            require(usedMasters.add(round.masterPort()), "a master endpoint was used twice");
        }
        for (Order order : round.orders()) {
            require(
                    round.participant(order.nodeId())
                            .filter(place -> place.generation() == order.generation())
                            .isEmpty(),
                    "an order to a group that is in the round");
        }
        rounds.add(round);
        sealed += round.suspended() ? 0 : 1;
    }

    @Nullable
    Round newest() {
        return rounds.isEmpty() ? null : rounds.get(rounds.size() - 1);
    }

    @Nullable
    Verdict verdict() {
        return verdict;
    }

    /** How many rounds were sealed, in all incarnations. */
    long sealed() {
        return sealed;
    }

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
