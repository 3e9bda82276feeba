/* SPDX-License-Identifier: Apache-2.0 */
/** Drives real agents for end-to-end tests and benchmarks: starts, watches, kills, and looks for what they left. */
@NullMarked
package dev.elasticrun.samples.testing;

import org.jspecify.annotations.NullMarked;
