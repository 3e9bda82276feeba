/* SPDX-License-Identifier: Apache-2.0 */
/** Seeded malformed input for listeners. */
@NullMarked
package dev.elasticrun.rendezvous.fuzz;

import org.jspecify.annotations.NullMarked;
