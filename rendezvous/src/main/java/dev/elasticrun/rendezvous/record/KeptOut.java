/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.Optional;

/**
 * A node that is ready, and is not put into a round for now.
 *
 * @param why human-readable
 * @param untilNanos on the clock of the coordinator's loop; {@link Long#MAX_VALUE} = its time has not begun
 */
public record KeptOut(String nodeId, String why, long untilNanos) {
    /** Why a node that waits for a place may be kept out, by what the round remembers of it; for that node itself. */
    public static Optional<String> reason(Round round, String nodeId) {
        return round.history().troubleOf(nodeId).flatMap(trouble -> {
            if (!trouble.excluded().isEmpty()) {
                return Optional.of("excluded: " + trouble.excluded());
            }
            if (!trouble.brokenLinkTo().isEmpty()) {
                return Optional.of("its link to " + trouble.brokenLinkTo() + " is broken");
            }
            return NodeComparison.isFailing(round, trouble)
                    ? Optional.of("its workers failed " + trouble.failures() + " times in a row")
                    : Optional.empty();
        });
    }
}
