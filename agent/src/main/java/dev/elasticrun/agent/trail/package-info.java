/* SPDX-License-Identifier: Apache-2.0 */
/** What became of a run, as one agent saw it: counts, times and rounds, for metrics and the page. Pure. */
@NullMarked
package dev.elasticrun.agent.trail;

import org.jspecify.annotations.NullMarked;
