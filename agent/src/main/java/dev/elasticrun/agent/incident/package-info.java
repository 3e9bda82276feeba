/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What happened in a run, and what it cost: events of all nodes in, reports of incidents out. Pure; used by agents and by
 * commands.
 */
@NullMarked
package dev.elasticrun.agent.incident;

import org.jspecify.annotations.NullMarked;
