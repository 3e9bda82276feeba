/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What ranks state of their checkpoints, and what follows from it: which one is continued from, where local states are, who sends what.
 * Pure.
 */
@NullMarked
package dev.elasticrun.worker.internal.checkpoint.agreement;

import org.jspecify.annotations.NullMarked;
