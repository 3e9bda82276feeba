/* SPDX-License-Identifier: Apache-2.0 */
/** Records an agent's events: for its event log, the console, metrics, page and commands. */
@NullMarked
package dev.elasticrun.agent.observe;

import org.jspecify.annotations.NullMarked;
