/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.contract.UpMessage;
import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.internal.exchange.Exchange;
import java.util.Optional;

/**
 * A round that has started: all ranks are connected and stand at one operation.
 *
 * @param goesOn this rank's program continues where it was; false = it begins at the checkpoint
 * @param start that checkpoint; empty = none
 */
public record ActiveRound(
        RoundSession round, WorkerInfo info, Exchange exchange, boolean goesOn, Optional<CheckpointId> start) {
    /** To report when the first operation is done. */
    UpMessage.Resumed resumed(long monotonicNanos) {
        return new UpMessage.Resumed(
                info.round(),
                start.map(CheckpointId::version).orElse(0L),
                monotonicNanos,
                info.world(),
                start.map(CheckpointId::world).orElse(0L));
    }
}
