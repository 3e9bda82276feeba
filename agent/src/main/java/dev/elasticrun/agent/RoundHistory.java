/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records how the run answered its incidents, and the rank of this node, as far as this agent saw them. Owned by the
 * agent's loop.
 */
final class RoundHistory {
    // Of a run with more rounds, the first ones and the newest are kept.
    private static final int MAX_FIRST = 8;

    private static final int MAX_NEWEST = 24;

    private final List<LaunchResult.Answer> seen = new ArrayList<>();
    private final String nodeId;
    private boolean begun;
    private long firstRound;
    /** 0 = the newest is suspended. */
    private long newestSealed;

    private @Nullable Participant place;

    RoundHistory(String nodeId) {
        this.nodeId = nodeId;
    }

    /** Rounds come in order; one that is suspended while it runs comes again, and is answered by the next sealed one. */
    void onRound(Round round) {
        round.participant(nodeId).ifPresent(own -> place = own);
        if (round.number() == 0 || (round.number() == newestSealed && !round.suspended())) {
            // Only a command was consumed.
            return;
        }
        newestSealed = round.suspended() ? 0 : round.number();
        if (!begun) {
            begun = true;
            firstRound = round.number();
        }
        if (round.number() == firstRound && !round.suspended()) {
            // The start of this agent's run is no incident, unless an incident was in progress.
            return;
        }
        LaunchResult.Answer waiting = lastIfSuspended();
        if (waiting != null) {
            seen.remove(seen.size() - 1);
        }
        seen.add(new LaunchResult.Answer(
                round.number(), cause(waiting, round), round.suspended(), round.worldSize(), round.budgetUsed()));
        if (seen.size() > MAX_FIRST + MAX_NEWEST) {
            seen.remove(MAX_FIRST);
        }
    }

    private LaunchResult.@Nullable Answer lastIfSuspended() {
        LaunchResult.Answer last = seen.isEmpty() ? null : seen.get(seen.size() - 1);
        return last != null && last.suspended() ? last : null;
    }

    // What began the incident, and what let the run resume if that is something else.
    private static String cause(LaunchResult.@Nullable Answer waiting, Round round) {
        if (waiting == null) {
            return round.cause();
        }
        return waiting.cause().endsWith(round.cause()) ? waiting.cause() : waiting.cause() + ", then " + round.cause();
    }

    List<LaunchResult.Answer> answers() {
        return List.copyOf(seen);
    }

    /** The rank of that worker in the newest round that this node was in; -1 = it had none. */
    int rank(int slot, int attempt) {
        Participant last = place;
        return last == null ? -1 : last.rankOf(slot, attempt).orElse(-1);
    }
}
