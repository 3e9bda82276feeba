/* SPDX-License-Identifier: Apache-2.0 */
/** Checkpoints: those that a worker holds, how ranks agree on one, transfers, files. */
@NullMarked
package dev.elasticrun.worker.internal.checkpoint;

import org.jspecify.annotations.NullMarked;
