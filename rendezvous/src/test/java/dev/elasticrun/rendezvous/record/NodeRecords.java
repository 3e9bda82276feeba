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
        return new NodeRecord(
                nodeId,
                hostLabel,
                address,
                controlPort,
                0,
                slots,
                "default",
                phase,
                0,
                0,
                0,
                workers,
                List.of(),
                List.of(),
                List.of(),
                RunVersion.NONE,
                0,
                null,
                "",
                0);
    }
}
