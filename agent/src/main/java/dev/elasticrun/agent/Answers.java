/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.rendezvous.Round;
import java.util.ArrayList;
import java.util.List;

/** What the run did about its incidents, as far as this agent saw it. Owned by the agent's loop. */
final class Answers {
    /** Of a run that went through more rounds, the first ones and the newest are kept. */
    private static final int MAX_FIRST = 8;

    private static final int MAX_NEWEST = 24;

    private final List<LaunchResult.Answer> seen = new ArrayList<>();
    private boolean begun;
    private long firstRound;

    /** Rounds come in order; a suspended one comes again when it is sealed. */
    void onRound(Round round) {
        if (!begun) {
            begun = true;
            firstRound = round.number();
        }
        if (round.number() == firstRound && !round.suspended()) {
            // The start of this agent's run is no incident, unless it came while one was going on.
            return;
        }
        if (!seen.isEmpty() && seen.get(seen.size() - 1).round() == round.number()) {
            seen.remove(seen.size() - 1);
        }
        seen.add(new LaunchResult.Answer(
                round.number(), round.cause(), round.suspended(), round.worldSize(), round.budgetUsed()));
        if (seen.size() > MAX_FIRST + MAX_NEWEST) {
            seen.remove(MAX_FIRST);
        }
    }

    List<LaunchResult.Answer> list() {
        return List.copyOf(seen);
    }
}
