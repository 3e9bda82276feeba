/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.trail;

import dev.elasticrun.agent.events.RunEvent;

/**
 * One event of this agent, as in its {@code events.jsonl}.
 *
 * @param round the newest round that the agent knew; 0 = none
 * @param nanos on the agent's monotonic clock
 */
public record Sighting(RunEvent event, long round, long nanos) {

    /**
     * Whether it is a sign of something that ends this round. After a return to work nothing is that still tells of what
     * is over: of a peer that was lost in an earlier round, or what that round has answered.
     */
    public boolean isSignAfter(long workingRound) {
        if (event instanceof RunEvent.PeerLost lost) {
            return lost.lostRound() >= workingRound && !lost.answered();
        } else if (event instanceof RunEvent.RoundDecided decided) {
            return decided.nextRound() > workingRound;
        }
        return isFailure() || event instanceof RunEvent.NodeProvedDead || event instanceof RunEvent.NodeFenced;
    }

    /** Whether workers of this node failed. */
    boolean isFailure() {
        return event instanceof RunEvent.OfFailure;
    }
}
