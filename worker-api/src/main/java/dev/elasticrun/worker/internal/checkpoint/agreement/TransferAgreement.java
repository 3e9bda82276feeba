/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import dev.elasticrun.worker.contract.CheckpointId;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides which rank sends which contents to which other until all have what was agreed. Pure: every rank computes it
 * from the same statements, so there are no requests.
 *
 * @param shipments in the order in which each link carries them
 */
public record TransferAgreement(List<TransferPlan> shipments) {
    public TransferAgreement {
        shipments = List.copyOf(shipments);
    }

    public static TransferAgreement of(
            List<CheckpointInventory> inventories, CheckpointAgreement agreement, LocalAgreement locals) {
        List<TransferPlan> shipments = new ArrayList<>();
        if (agreement.agreed().isEmpty()) {
            return new TransferAgreement(shipments);
        }
        CheckpointId id = agreement.agreed().get();
        for (int rank : agreement.lacking()) {
            shipments.add(TransferPlan.of(
                    rank,
                    CheckpointInventory.GLOBAL,
                    agreement.sources(),
                    inventories.get(rank).arrived(id, CheckpointInventory.GLOBAL)));
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
