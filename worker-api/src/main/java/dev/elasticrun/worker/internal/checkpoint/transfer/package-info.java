/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Contents of checkpoints between ranks: at the start of a round, and when a checkpoint is made.
 */
@NullMarked
package dev.elasticrun.worker.internal.checkpoint.transfer;

import org.jspecify.annotations.NullMarked;
