/* SPDX-License-Identifier: Apache-2.0 */
/** What a run is to be like, for programs that start agents: settings by groups, their checks, and how agents end. */
@NullMarked
package dev.elasticrun.agent.launch;

import org.jspecify.annotations.NullMarked;
