/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.liveness;

/**
 * One life of a node, as its agent reports it to the other end of a connection.
 *
 * @param controlPort where the agent's control service listens
 * @param createRevision create revision of the node's key
 * @param leaseId the lease that the key is bound to
 * @param leaseOnly the node was declared dead once and came back: from then on only its lease judges it
 */
public record NodeLife(
        String nodeId, String address, int controlPort, long createRevision, long leaseId, boolean leaseOnly) {}
