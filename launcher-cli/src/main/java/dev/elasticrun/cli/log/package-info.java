/* SPDX-License-Identifier: Apache-2.0 */
/** Log lines of the agent, and how they are printed without making it wait. */
@NullMarked
package dev.elasticrun.cli.log;

import org.jspecify.annotations.NullMarked;
