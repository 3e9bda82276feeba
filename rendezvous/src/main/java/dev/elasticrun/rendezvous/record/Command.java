/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import dev.elasticrun.rendezvous.terms.NodeBounds;
import java.util.Objects;

/**
 * The command of a user for a run.
 *
 * @param number its place among the run's commands, from 1; 0 = none yet
 * @param requestId chosen by the caller at random: the same twice is one command
 * @param nodeId whole id of the node to drain; else empty
 * @param nodes of a scale
 * @param force whether it is to be done also when the run falls below its minimum of nodes
 * @param askedBy name of the user, as the caller states it
 */
public record Command(
        long number, String requestId, Kind kind, String nodeId, NodeBounds nodes, boolean force, String askedBy) {

    /** What can be asked for. */
    public enum Kind {
        /** A node leaves the run in good order. */
        DRAIN,
        /** Another minimum and maximum of nodes. */
        SCALE,
        /** The run ends. */
        STOP,
        /** All workers of all nodes are started afresh, once. */
        RESTART
    }

    public Command {
        Objects.requireNonNull(kind, "kind");
        if (requestId.isEmpty()) {
            throw new IllegalArgumentException("requestId: empty (expected: a random text)");
        }
        if (kind == Kind.SCALE && (nodes.minNodes() < 1 || nodes.maxNodes() < nodes.minNodes())) {
            throw new IllegalArgumentException("scale: " + nodes.text() + " (expected: MIN:MAX with 1 <= MIN <= MAX)");
        }
        if (kind == Kind.DRAIN && nodeId.isEmpty()) {
            throw new IllegalArgumentException("drain: no node (expected: a node id)");
        }
    }

    public static Command drain(String requestId, String nodeId, boolean force, String askedBy) {
        return new Command(0, requestId, Kind.DRAIN, nodeId, NodeBounds.NONE, force, askedBy);
    }

    /** @throws IllegalArgumentException unless 1 <= minNodes <= maxNodes */
    public static Command scale(String requestId, int minNodes, int maxNodes, boolean force, String askedBy) {
        return new Command(0, requestId, Kind.SCALE, "", new NodeBounds(minNodes, maxNodes), force, askedBy);
    }

    public static Command stop(String requestId, String askedBy) {
        return new Command(0, requestId, Kind.STOP, "", NodeBounds.NONE, false, askedBy);
    }

    public static Command restart(String requestId, String askedBy) {
        return new Command(0, requestId, Kind.RESTART, "", NodeBounds.NONE, false, askedBy);
    }

    /** The same, as the run knows it. */
    public Command numbered(long newNumber) {
        return new Command(newNumber, requestId, kind, nodeId, nodes, force, askedBy);
    }

    /** As it is typed. */
    public String text() {
        return switch (kind) {
            case DRAIN -> "drain " + nodeId;
            case SCALE -> "scale " + nodes.text();
            case STOP -> "stop";
            case RESTART -> "restart";
        };
    }
}
