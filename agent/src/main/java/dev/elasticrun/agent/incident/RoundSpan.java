/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One round as an agent saw it.
 *
 * @param suspended whether it only waits for the next one
 * @param joined whether it is the first that this agent knew
 * @param members nodes and their ranks
 */
public record RoundSpan(
        long number,
        String cause,
        boolean suspended,
        boolean joined,
        int worldSize,
        Times times,
        List<Member> members) {

    public RoundSpan {
        members = List.copyOf(members);
    }

    /**
     * What came of it and when, in milliseconds since 1970, of the agent's host; null = it did not come to that.
     *
     * @param sealed when the agent had it
     * @param published when WORK was written for its workers
     * @param resumed when the last of them completed an operation in it
     * @param broken first sign of what ended it
     * @param paused when PAUSE was written for its workers
     */
    public record Times(
            long sealed,
            @Nullable Long published,
            @Nullable Long resumed,
            @Nullable Long broken,
            @Nullable Long paused) {}

    /** A node of the round. */
    public record Member(String node, String host, int firstRank, int slots) {}
}
