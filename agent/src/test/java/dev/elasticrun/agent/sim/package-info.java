/* SPDX-License-Identifier: Apache-2.0 */
/** Whole agents under virtual time; see docs/simulation.md. */
@NullMarked
package dev.elasticrun.agent.sim;

import org.jspecify.annotations.NullMarked;
