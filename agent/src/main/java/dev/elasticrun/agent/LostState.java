/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.util.List;

/**
 * A loss of all that a run had: a checkpoint was completed, and no worker of a round had any, nor was there a durable copy.
 *
 * @param version the newest checkpoint that had been completed
 * @param round in which it was missed
 * @param gone nodes that left before that round; empty when only workers ended, or when this agent came later
 */
public record LostState(long version, long round, List<String> gone) {

    public LostState {
        gone = List.copyOf(gone);
    }

    /** In one line, for people. */
    public String describe() {
        return "STATE_LOST: version " + version + " had been completed, and no worker of round " + round
                + " has any checkpoint; "
                + (gone.isEmpty()
                        ? "the workers that held it have ended"
                        : "nodes that are gone: " + String.join(", ", gone));
    }
}
