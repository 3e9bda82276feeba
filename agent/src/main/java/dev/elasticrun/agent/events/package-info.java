/* SPDX-License-Identifier: Apache-2.0 */
/** What happens in a run, as types: written by agents to their event logs, read by what reports on it. */
@NullMarked
package dev.elasticrun.agent.events;

import org.jspecify.annotations.NullMarked;
