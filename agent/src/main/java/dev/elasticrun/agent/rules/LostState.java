/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import java.util.List;

/**
 * A loss of what a run had: of all, when a checkpoint was completed, no worker of a round had any, and there was no
 * durable copy; or of local states of the checkpoint that a round resumed from.
 *
 * @param version the newest checkpoint that had been completed, or the one whose local states are lost
 * @param round in which it was missed
 * @param gone nodes that left before that round; empty when only workers ended, or when this agent came later
 * @param ranks whose local states are lost, in the world that made the checkpoint; empty = all is lost
 */
public record LostState(long version, long round, List<String> gone, List<Integer> ranks) {

    public LostState {
        gone = List.copyOf(gone);
        ranks = List.copyOf(ranks);
    }

    /** All that there was. */
    public LostState(long version, long round, List<String> gone) {
        this(version, round, gone, List.of());
    }

    static LostState ofRanks(List<Integer> ranks, long version, long round, List<String> gone) {
        return new LostState(version, round, gone, ranks);
    }

    /** In one human-readable line. */
    public String describe() {
        String what = ranks.isEmpty()
                ? "STATE_LOST: version " + version + " had been completed, and no worker of round " + round
                        + " has any checkpoint; "
                : "LOCAL_STATE_LOST: no worker of round " + round + " has the local states of ranks " + ranks
                        + " of version " + version + "; ";
        return what
                + (gone.isEmpty()
                        ? "the workers that held " + (ranks.isEmpty() ? "it" : "them") + " have ended"
                        : "nodes that are gone: " + String.join(", ", gone));
    }
}
