/* SPDX-License-Identifier: Apache-2.0 */
/** Connections between agents, by which they detect that a node has died. */
@NullMarked
package dev.elasticrun.agent.liveness;

import org.jspecify.annotations.NullMarked;
