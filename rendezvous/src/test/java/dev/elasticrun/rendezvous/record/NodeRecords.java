/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.List;

/** Records of nodes of which only a little matters. */
public final class NodeRecords {
    private NodeRecords() {}

    /** A node that has met no round yet, and no trouble. */
    public static NodeRecord of(
            String nodeId,
            String hostLabel,
            String address,
            int controlPort,
            int slots,
            NodePhase phase,
            List<WorkerRecord> workers) {
        NodeSpec spec = new NodeSpec(nodeId, hostLabel, address, controlPort, "default", slots);
        return of(spec, phase, workers, 0, 0);
    }

    /** A node without any trouble, whose workers are its first group. */
    public static NodeRecord of(
            NodeSpec spec, NodePhase phase, List<WorkerRecord> workers, int masterPort, long acknowledged) {
        return new NodeRecord(
                spec,
                phase,
                new NodeRecord.Group(0, workers, List.of(), masterPort),
                new NodeRecord.Rounds(acknowledged, 0),
                NodeRecord.Reports.NONE,
                HeldVersion.NONE,
                NodeRecord.Publication.NONE);
    }
}
