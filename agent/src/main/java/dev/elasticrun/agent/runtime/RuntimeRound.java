/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.runtime;

import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A round, as a runtime sees it on one node.
 *
 * @param number grows from round to round
 * @param nodes in the order of their ranks
 * @param own this node, one of them
 * @param directory for files that workers of this node read; private to this agent, which removes it at its end
 * @param secret by which agents prove to each other that they belong to this run: 32 bytes, the same on all nodes of
 *     the round, of this runtime and this round only; never to be sent
 */
public record RuntimeRound(long number, List<Node> nodes, Node own, Master master, Path directory, byte[] secret) {

    /**
     * A node that works in the round.
     *
     * @param address by which others reach it
     * @param firstRank of its workers; the others follow
     * @param slots how many workers it has
     */
    public record Node(String nodeId, String address, int firstRank, int slots) {}

    /**
     * The master endpoint, on the node of rank 0.
     *
     * @param port serves this round only
     * @param givenDoor see {@link #door}
     */
    public record Master(String address, int port, @Nullable ServerSocketChannel givenDoor) {}

    public RuntimeRound {
        nodes = List.copyOf(nodes);
        secret = secret.clone();
        if (!nodes.contains(own)) {
            throw new IllegalArgumentException("own: " + own + " (expected: one of " + nodes + ")");
        }
    }

    public String masterAddress() {
        return master.address();
    }

    public int masterPort() {
        return master.port();
    }

    public int worldSize() {
        return nodes.stream().mapToInt(Node::slots).sum();
    }

    /** Whether rank 0 is on this node, and with it the master endpoint. */
    public boolean hasRankZero() {
        return own.firstRank() == 0;
    }

    /**
     * The channel that listens at the master endpoint since it was reserved; where rank 0 is elsewhere, at a port of
     * this node. It uses the address and the port range at which the node listens. The runtime that opens the round
     * owns it and closes it. Empty when the runtime does not serve the endpoint, and when the reservation was given up
     * in the meantime: it can be bound anew then.
     */
    public Optional<ServerSocketChannel> door() {
        return Optional.ofNullable(master.givenDoor());
    }
}
