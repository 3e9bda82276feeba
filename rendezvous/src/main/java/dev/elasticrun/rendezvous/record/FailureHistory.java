/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What a run records of its nodes from round to round, so that the next coordinator has it, too: counts, never times.
 *
 * @param troubles failure histories of nodes, oldest first
 * @param brokenLinks because of which this round, or one shortly before, was formed of the same members again
 * @param absences members that a suspended round has lost
 * @param collateralRestarts restarts in a row that were free because every failure was reported as a consequence of
 *     another one
 */
public record FailureHistory(
        List<Trouble> troubles, List<Link> brokenLinks, List<Absence> absences, int collateralRestarts) {

    public static final FailureHistory NONE = new FailureHistory(List.of(), List.of(), List.of(), 0);

    public FailureHistory {
        troubles = List.copyOf(troubles);
        brokenLinks = List.copyOf(brokenLinks);
        absences = List.copyOf(absences);
    }

    /**
     * The failure history of one node.
     *
     * @param seenRevision nodes of this host label whose key is younger than this came after it
     * @param own of this node, in a row: without having stayed in rounds between
     * @param others of all others together since then, and what was on record of them before: what {@code own} is compared
     *     with, whatever is forgotten of the others meanwhile
     * @param excluded why a worker wanted it out of the run; empty = none did
     * @param brokenLinkTo the node because of a broken link to which it was left out; empty = none
     */
    public record Trouble(
            String nodeId,
            String hostLabel,
            long seenRevision,
            Counts own,
            Counts others,
            String excluded,
            String brokenLinkTo) {

        /** How often it left a round by failure or loss, in a row. */
        public int strikes() {
            return own.strikes();
        }

        /** How often its workers failed, in a row. */
        public int failures() {
            return own.failures();
        }
    }

    /**
     * What nodes are compared by.
     *
     * @param strikes how often one left a round by failure or loss
     * @param failures how often workers of one failed
     */
    public record Counts(int strikes, int failures) {
        public static final Counts NONE = new Counts(0, 0);

        public Counts plus(Counts more) {
            return new Counts(strikes + more.strikes, failures + more.failures);
        }
    }

    /** Two nodes, in the order of their names, that cannot reach each other. The same twice: two workers of one node. */
    public record Link(String oneNode, String otherNode) {

        public static Link between(String nodeId, String otherId) {
            return nodeId.compareTo(otherId) <= 0 ? new Link(nodeId, otherId) : new Link(otherId, nodeId);
        }

        /** Both nodes. */
        public Set<String> ends() {
            return oneNode.equals(otherNode) ? Set.of(oneNode) : Set.of(oneNode, otherNode);
        }

        public boolean has(String nodeId) {
            return oneNode.equals(nodeId) || otherNode.equals(nodeId);
        }

        public String otherThan(String nodeId) {
            return oneNode.equals(nodeId) ? otherNode : oneNode;
        }
    }

    /** A member that went, and how. */
    public record Absence(String nodeId, How how) {
        public Absence {
            Objects.requireNonNull(nodeId, "nodeId");
        }

        /** How a member went. */
        public enum How {
            LOST("lost"),
            FAILED("worker failed"),
            LEFT("left"),
            LEFT_OUT("left out");

            private final String words;

            How(String words) {
                this.words = words;
            }

            public String words() {
                return words;
            }
        }
    }

    public Optional<Trouble> troubleOf(String nodeId) {
        return troubles.stream()
                .filter(trouble -> trouble.nodeId().equals(nodeId))
                .findFirst();
    }
}
