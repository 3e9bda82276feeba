/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.util.Optional;

/**
 * A node that is ready, and is not put into a round for now.
 *
 * @param why in words
 * @param untilNanos on the clock of the coordinator's loop; {@link Long#MAX_VALUE} = its time has not begun
 */
public record KeptOut(String nodeId, String why, long untilNanos) {

    static KeptOut of(AdmissionDelay hold) {
        return new KeptOut(hold.node().nodeId(), hold.why(), hold.untilNanos());
    }

    /** Why a node that waits for a place may be kept out, by what the round remembers of it; for that node itself. */
    public static Optional<String> reason(Round round, String nodeId) {
        return round.history().troubleOf(nodeId).flatMap(trouble -> {
            if (!trouble.excluded().isEmpty()) {
                return Optional.of("excluded: " + trouble.excluded());
            }
            if (!trouble.brokenLinkTo().isEmpty()) {
                return Optional.of("its link to " + trouble.brokenLinkTo() + " is broken");
            }
            return trouble.failures() >= AdmissionDelay.MAX_FAILURES
                    ? Optional.of("its workers failed " + trouble.failures() + " times in a row")
                    : Optional.empty();
        });
    }
}
