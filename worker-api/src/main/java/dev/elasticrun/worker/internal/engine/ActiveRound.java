/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.engine;

import dev.elasticrun.worker.contract.WorkerInfo;
import dev.elasticrun.worker.internal.exchange.Exchange;

/**
 * A round that has started: all ranks are connected and stand at one operation.
 *
 * @param goesOn this rank's program continues where it was; false = it begins at the checkpoint
 * @param startVersion version of that checkpoint; 0 = none
 */
public record ActiveRound(RoundSession round, WorkerInfo info, Exchange exchange, boolean goesOn, long startVersion) {}
