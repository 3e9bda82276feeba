/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.List;

/**
 * What a restart policy decides on.
 *
 * @param round number of the current round
 * @param members nodes of the round, in rank order
 * @param readyNewcomers nodes outside the round that could be put into one and for which there is room
 * @param readyWorkers workers of its members that have no rank and could be given one; none but under a policy of
 *     elastic workers
 * @param brokenLinks whether workers reported lost peers that no loss of a node explains
 * @param budgetLeft restarts left for the whole run
 */
public record GroupView(
        long round, List<Member> members, int readyNewcomers, int readyWorkers, boolean brokenLinks, int budgetLeft) {

    public GroupView {
        members = List.copyOf(members);
    }

    /** Without workers that have no rank. */
    public GroupView(long round, List<Member> members, int readyNewcomers, boolean brokenLinks, int budgetLeft) {
        this(round, members, readyNewcomers, 0, brokenLinks, budgetLeft);
    }

    /**
     * One node of the round.
     *
     * @param collateral FAILED of no fault of its own: as a consequence of another failure, or before any worker ran
     * @param continuing workers of a FAILED member that continue, or are about to be ready; none but under a policy of
     *     elastic workers
     */
    public record Member(String nodeId, MemberState state, boolean collateral, int continuing) {

        /** One whose workers continue together or not at all. */
        public Member(String nodeId, MemberState state, boolean collateral) {
            this(nodeId, state, collateral, 0);
        }
    }

    /** Node ids of the members that failed of a cause of their own, in rank order. */
    public List<String> culprits() {
        return members.stream()
                .filter(member -> member.state() == MemberState.FAILED && !member.collateral())
                .map(Member::nodeId)
                .toList();
    }

    /** Node ids of the members in a state, in rank order. */
    public List<String> in(MemberState state) {
        return members.stream()
                .filter(member -> member.state() == state)
                .map(Member::nodeId)
                .toList();
    }
}
