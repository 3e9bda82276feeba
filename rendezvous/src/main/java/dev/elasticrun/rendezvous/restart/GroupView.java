/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.util.List;
import java.util.Objects;

/**
 * What a restart policy decides on: what the records of the run have, which are the same for every agent that may be its
 * coordinator. Only the clock is the coordinator's own: one that has just taken over counts restarts and failures for longer.
 *
 * @param round number of the current round
 * @param members nodes of the round, in rank order
 * @param readyNewcomers nodes outside the round that could be put into one and for which there is room
 * @param readyWorkers workers of its members that have no rank and could be given one; none but under a policy of
 *     elastic workers
 * @param brokenLinks whether workers reported lost peers that no loss of a node explains
 * @param restarts of the whole run
 */
public record GroupView(
        long round,
        List<Member> members,
        int readyNewcomers,
        int readyWorkers,
        boolean brokenLinks,
        Restarts restarts) {

    public GroupView {
        Objects.requireNonNull(restarts, "restarts");
        members = List.copyOf(members);
    }

    /** Of a run that has used no restart. */
    public GroupView(
            long round,
            List<Member> members,
            int readyNewcomers,
            int readyWorkers,
            boolean brokenLinks,
            int budgetLeft) {
        this(round, members, readyNewcomers, readyWorkers, brokenLinks, new Restarts(0, 0, budgetLeft));
    }

    /** Without workers that have no rank, of a run that has used no restart. */
    public GroupView(long round, List<Member> members, int readyNewcomers, boolean brokenLinks, int budgetLeft) {
        this(round, members, readyNewcomers, 0, brokenLinks, budgetLeft);
    }

    /**
     * The restart budget.
     *
     * @param charged restarts that failures have cost since the run began
     * @param used those of them that still count: neither longer ago than the window of {@code --max-restarts}, nor given
     *     back by {@code --restart-refund}
     * @param max how many may count at a time
     */
    public record Restarts(int charged, int used, int max) {
        public int left() {
            return Math.max(0, max - used);
        }
    }

    /**
     * One node of the round.
     *
     * @param collateral FAILED of no fault of its own: as a consequence of another failure, or before any worker ran
     * @param continuing workers of a FAILED member that continue, or are about to be ready; none but under a policy of
     *     elastic workers
     * @param failures why workers of a FAILED member failed in this round, as far as its agent has reported it, the earliest
     *     first; empty for others
     * @param failedBefore how often workers of this node, or of the one that it follows on its host, failed before that: in a
     *     row, as a node that works for a minute starts over
     */
    public record Member(
            String nodeId,
            MemberState state,
            boolean collateral,
            int continuing,
            List<WorkerFailure> failures,
            int failedBefore) {

        public Member {
            failures = List.copyOf(failures);
        }

        /** Of which no failure is known. */
        public Member(String nodeId, MemberState state, boolean collateral, int continuing) {
            this(nodeId, state, collateral, continuing, List.of(), 0);
        }

        /** One whose workers continue together or not at all. */
        public Member(String nodeId, MemberState state, boolean collateral) {
            this(nodeId, state, collateral, 0);
        }
    }

    /** Restarts left for the whole run. */
    public int budgetLeft() {
        return restarts.left();
    }

    /** Failures of the members that failed of a cause of their own, in rank order of the members. */
    public List<WorkerFailure> failures() {
        return members.stream()
                .filter(GroupView::isCulprit)
                .flatMap(member -> member.failures().stream())
                .toList();
    }

    /** Node ids of the members that failed of a cause of their own, in rank order. */
    public List<String> culprits() {
        return members.stream().filter(GroupView::isCulprit).map(Member::nodeId).toList();
    }

    private static boolean isCulprit(Member member) {
        return member.state() == MemberState.FAILED && !member.collateral();
    }

    /** Node ids of the members in a state, in rank order. */
    public List<String> in(MemberState state) {
        return members.stream()
                .filter(member -> member.state() == state)
                .map(Member::nodeId)
                .toList();
    }
}
