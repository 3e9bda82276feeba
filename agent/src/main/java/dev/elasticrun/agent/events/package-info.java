/* SPDX-License-Identifier: Apache-2.0 */
/** The events of a run, as types: written by agents to their event logs, read by reports. */
@NullMarked
package dev.elasticrun.agent.events;

import org.jspecify.annotations.NullMarked;
