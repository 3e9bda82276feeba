/* SPDX-License-Identifier: Apache-2.0 */
/** A long run of real agents, and what they hold while it goes on. */
@NullMarked
package dev.elasticrun.samples.soak;

import org.jspecify.annotations.NullMarked;
