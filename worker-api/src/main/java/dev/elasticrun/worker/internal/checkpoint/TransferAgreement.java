/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointId;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides which rank sends which contents to which other until all have what was agreed. Pure: every rank computes it
 * from the same statements, so there are no requests.
 *
 * @param shipments in the order in which each link carries them
 */
record TransferAgreement(List<TransferPlan> shipments) {
    TransferAgreement {
        shipments = List.copyOf(shipments);
    }

    static TransferAgreement of(
            List<CheckpointInventory> inventories, CheckpointAgreement agreement, LocalAgreement locals) {
        List<TransferPlan> shipments = new ArrayList<>();
        if (agreement.agreed().isEmpty()) {
            return new TransferAgreement(shipments);
        }
        CheckpointId id = agreement.agreed().get();
        for (int rank : agreement.lacking()) {
            shipments.add(TransferPlan.of(
                    rank,
                    StatePart.GLOBAL,
                    agreement.sources(),
                    inventories.get(rank).arrived(id, StatePart.GLOBAL)));
        }
        for (LocalAgreement.Share share : locals.shares()) {
            for (int rank : share.targets()) {
                if (!share.isRebuilt() && !share.sources().contains(rank)) {
                    shipments.add(TransferPlan.of(
                            rank,
                            share.owner(),
                            share.sources(),
                            inventories.get(rank).arrived(id, share.owner())));
                }
            }
        }
        return new TransferAgreement(shipments);
    }
}
