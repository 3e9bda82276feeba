/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

/**
 * What of a node stays as it is for as long as its agent lives.
 *
 * @param address where peers reach the node, a host name or an address
 * @param controlPort port of the agent's control service
 * @param slots number of workers
 * @param wishedPlace in the first order of ranks; {@link #ANY_PLACE} = it has no wish
 */
public record NodeSpec(
        String nodeId, String hostLabel, String address, int controlPort, String role, int slots, int wishedPlace) {
    /** Comes after all wishes. */
    public static final int ANY_PLACE = Integer.MAX_VALUE;

    /** A node that has no wish, or whose place is known. */
    public NodeSpec(String nodeId, String hostLabel, String address, int controlPort, String role, int slots) {
        this(nodeId, hostLabel, address, controlPort, role, slots, ANY_PLACE);
    }

    /** The same once it has a place. */
    public NodeSpec placed() {
        return new NodeSpec(nodeId, hostLabel, address, controlPort, role, slots);
    }
}
