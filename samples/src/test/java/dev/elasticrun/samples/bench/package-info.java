/* SPDX-License-Identifier: Apache-2.0 */
/** Whole-system benchmarks: they start real agents, kill them, and print tables. Nothing here is a timed test. */
@NullMarked
package dev.elasticrun.samples.bench;

import org.jspecify.annotations.NullMarked;
