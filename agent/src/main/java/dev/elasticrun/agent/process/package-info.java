/* SPDX-License-Identifier: Apache-2.0 */
/** Worker processes, their groups, and the files through which the agent communicates with them. */
@NullMarked
package dev.elasticrun.agent.process;

import org.jspecify.annotations.NullMarked;
