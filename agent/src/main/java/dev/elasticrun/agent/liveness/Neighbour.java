/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

import dev.elasticrun.rendezvous.record.NodeSpec;

/** A node, and where its agent's control service is reached. */
public record Neighbour(String nodeId, String address, int controlPort) {

    public static Neighbour of(NodeSpec node) {
        return new Neighbour(node.nodeId(), node.address(), node.controlPort());
    }
}
