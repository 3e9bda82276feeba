/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;

/** A checkpoint with its content, which nobody changes. */
record Checkpoint(CheckpointId id, byte[] content) {}
