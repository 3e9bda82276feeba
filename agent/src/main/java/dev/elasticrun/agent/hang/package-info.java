/* SPDX-License-Identifier: Apache-2.0 */
/** Finds workers that make no progress, and saves what they were doing. */
@NullMarked
package dev.elasticrun.agent.hang;

import org.jspecify.annotations.NullMarked;
