/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The members of a round that are not in the next one, and took along the state that they held. Pure.
 *
 * @param nodes in rank order
 * @param everybody whether no member of the round is left
 */
record LostMembers(List<String> nodes, boolean everybody) {
    static final LostMembers NOBODY = new LostMembers(List.of(), false);

    LostMembers {
        nodes = List.copyOf(nodes);
    }

    /**
     * The members that have departed once this round is there; from a suspended round they may still come to the next.
     *
     * @param before the newest round that was seen until now
     */
    LostMembers in(Round round, @Nullable Round before) {
        boolean isSame = before != null && before.number() == round.number() && !before.suspended();
        if (round.suspended() || before == null || isSame) {
            return this;
        }
        Set<String> members = new LinkedHashSet<>();
        before.participants().forEach(member -> members.add(member.nodeId()));
        if (before.suspended()) {
            before.history().absences().stream()
                    .map(FailureHistory.Absence::nodeId)
                    .forEach(members::add);
        }
        int size = members.size();
        members.removeAll(round.participants().stream().map(Participant::nodeId).collect(Collectors.toSet()));
        return new LostMembers(List.copyOf(members), size > 0 && members.size() == size);
    }

    /**
     * The cause of the round, as published to workers; also states that none of the nodes with the completed state is
     * left.
     */
    String causeOf(Round round) {
        return everybody && round.checkpoint().version() > 0
                ? round.cause() + "; of the nodes that had version "
                        + round.checkpoint().version() + " none is left: " + String.join(", ", nodes)
                : round.cause();
    }
}
