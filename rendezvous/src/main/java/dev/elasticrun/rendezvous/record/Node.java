/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A live node: its record, and the revision that distinguishes this registration of its key from others.
 *
 * @param dialled false while its workers' listeners are being dialled: until they answer it is not ready
 */
public record Node(NodeRecord record, long createRevision, boolean dialled) {
    private static final int MAX_NAMED = 20;

    public Node(NodeRecord record, long createRevision) {
        this(record, createRevision, true);
    }

    public Node notDialled() {
        return new Node(record, createRevision, false);
    }

    public String nodeId() {
        return record.nodeId();
    }

    public NodePhase phase() {
        return dialled ? record.phase() : NodePhase.STARTING;
    }

    /** Whether it can work, now or later. */
    public boolean usable() {
        return switch (record.phase()) {
            case STARTING, READY, ACTIVE, STANDBY, FENCED -> true;
            case DRAINING, DONE, BROKEN -> false;
        };
    }

    /** Whether a worker wants it out of the run, and no round since has sent it to work again. */
    public boolean excluded(@Nullable Round newest) {
        return !record.reports().excluded().isEmpty()
                && (newest == null
                        || record.rounds().acknowledged() >= newest.number()
                        || newest.participant(record.nodeId()).isEmpty());
    }

    /** Whether its worker group of this generation failed, or has been replaced already. */
    public boolean failed(int generation) {
        return record.generation() > generation
                || record.failures().stream().anyMatch(failure -> failure.attempt() == generation);
    }

    /** Whether that worker group failed before any of its processes ran. */
    public boolean neverRan(int generation) {
        List<Failure> all = record.failures().stream()
                .filter(failure -> failure.attempt() == generation)
                .toList();
        return !all.isEmpty() && all.stream().allMatch(failure -> failure.pid() == 0);
    }

    /** Whether that worker group failed only as a consequence of failures elsewhere. */
    public boolean onlyCollateral(int generation) {
        return record.failures().stream()
                .filter(failure -> failure.attempt() == generation)
                .allMatch(Failure::collateral);
    }

    /** The first few by name, and how many there are beside them: for messages. */
    public static String names(List<Node> nodes) {
        String named = nodes.stream().limit(MAX_NAMED).map(Node::nodeId).collect(Collectors.joining(", "));
        if (nodes.isEmpty()) {
            return "none";
        }
        return nodes.size() <= MAX_NAMED ? named : named + " and " + (nodes.size() - MAX_NAMED) + " more";
    }
}
