/* SPDX-License-Identifier: Apache-2.0 */
/** Calls of the program over the rounds of one world, and how a worker begins a round. */
@NullMarked
package dev.elasticrun.worker.internal.engine;

import org.jspecify.annotations.NullMarked;
