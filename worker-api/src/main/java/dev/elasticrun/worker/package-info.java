/* SPDX-License-Identifier: Apache-2.0 */
/** What a worker uses: where it stands in the run, the loop that survives changes, and checkpoints. */
@NullMarked
package dev.elasticrun.worker;

import org.jspecify.annotations.NullMarked;
