/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides which nodes without a rank copy the checkpoints of the nodes that work, and how often: those that keep a replica, and
 * those that are about to join, so that the round which admits them need not wait for the transfer. Pure.
 */
public final class CopyRules {
    /** A copy takes at most this part of the time. */
    private static final int SHARE = 10;

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** After an attempt that got nothing: the other node has enough copies, or cannot be reached. */
    private static final Duration AFTER_REFUSAL = Duration.ofSeconds(5);

    private final String nodeId;
    private final int replicas;

    /** @param replicas on how many nodes each checkpoint is, as far as there are nodes; at least 1 */
    public CopyRules(String nodeId, int replicas) {
        this.nodeId = nodeId;
        this.replicas = replicas;
    }

    /**
     * From where this node copies now.
     *
     * @param keeper whether it asks to be counted as one that keeps a replica; false = it is about to join
     */
    public record Source(Participant holder, boolean keeper) {}

    /**
     * The node to copy from; empty = none, since this node works, or enough others do.
     *
     * @param attempt how many attempts failed in a row: the next one goes to the next node
     */
    public Optional<Source> source(AgentState state, int attempt) {
        Round round = state.round();
        if (round == null || state.identity() == null || state.isEnding() || isMember(round)) {
            return Optional.empty();
        }
        boolean joins = state.phase() == NodePhase.STARTING || state.phase() == NodePhase.READY;
        boolean isWanted = joins || missing(round) > 0;
        return isWanted && !round.participants().isEmpty()
                ? Optional.of(new Source(
                        round.participants().get(attempt % round.participants().size()), !joins))
                : Optional.empty();
    }

    private boolean isMember(Round round) {
        return round.participant(nodeId).isPresent();
    }

    /** How many nodes without a rank keep a copy of what this node has; 0 where it has no rank itself. */
    public int keepers(@Nullable Round round) {
        return round == null || !isMember(round) ? 0 : missing(round);
    }

    private int missing(Round round) {
        return Math.max(0, replicas - round.participants().size());
    }

    /**
     * How long after a copy the next one begins.
     *
     * @param took how long the last one took
     */
    public Duration pause(Duration took, boolean succeeded) {
        Duration share = took.multipliedBy(SHARE);
        Duration least = succeeded ? SHORTEST : AFTER_REFUSAL;
        return share.compareTo(least) > 0 ? share : least;
    }
}
