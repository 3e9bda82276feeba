/* SPDX-License-Identifier: Apache-2.0 */
/** Checkpoints that a process holds: global and local states, parity, in memory and in files. */
@NullMarked
package dev.elasticrun.worker.internal.checkpoint;

import org.jspecify.annotations.NullMarked;
