/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

/**
 * The newest master endpoint of one registration of a node that a round has used.
 *
 * @param createRevision of the node's key
 * @param port of the endpoint
 * @param edition of the node's record that named it
 */
public record UsedMaster(long createRevision, int port, long edition) {

    /** Of the node that a round begins with. */
    public static UsedMaster of(Node first) {
        NodeRecord record = first.record();
        return new UsedMaster(
                first.createRevision(),
                record.group().masterPort(),
                record.publication().edition());
    }

    /**
     * Whether the endpoint in this record of the node may have been used. An agent gives up a used endpoint for a new one
     * and never returns to it, so that a newer record with another endpoint has one that no round has used. An older record
     * can be of any time: what an earlier coordinator received from the agent may not have reached the store.
     */
    public boolean mayBeIn(NodeRecord record) {
        return record.publication().edition() < edition || record.group().masterPort() == port;
    }
}
