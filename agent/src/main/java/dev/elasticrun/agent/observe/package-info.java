/* SPDX-License-Identifier: Apache-2.0 */
/** What happens to an agent, recorded: for its event log, the console, metrics, page and commands. */
@NullMarked
package dev.elasticrun.agent.observe;

import org.jspecify.annotations.NullMarked;
