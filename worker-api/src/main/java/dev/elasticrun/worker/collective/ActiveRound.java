/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.WorkerInfo;

/**
 * A round that has started: all ranks are connected and stand at one operation.
 *
 * @param goesOn this rank's program goes on where it was; false = it begins at the checkpoint
 * @param startVersion version of that checkpoint; 0 = none
 */
record ActiveRound(RoundSession round, WorkerInfo info, Exchange exchange, boolean goesOn, long startVersion) {}
