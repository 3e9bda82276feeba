/* SPDX-License-Identifier: Apache-2.0 */
/** Derives reports of incidents, with their cost, from events of all nodes. Pure; used by agents and by commands. */
@NullMarked
package dev.elasticrun.agent.incident;

import org.jspecify.annotations.NullMarked;
