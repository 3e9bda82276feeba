/* SPDX-License-Identifier: Apache-2.0 */
/** Commands that were given to a run. */
@NullMarked
package dev.elasticrun.agent.command;

import org.jspecify.annotations.NullMarked;
