/* SPDX-License-Identifier: Apache-2.0 */
/** Operations that all workers of a round perform together. */
@NullMarked
package dev.elasticrun.worker.collective;

import org.jspecify.annotations.NullMarked;
