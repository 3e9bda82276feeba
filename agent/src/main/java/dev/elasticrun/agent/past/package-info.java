/* SPDX-License-Identifier: Apache-2.0 */
/** What the page shows of a run, from the events that its nodes left. Pure. */
@NullMarked
package dev.elasticrun.agent.past;

import org.jspecify.annotations.NullMarked;
