/* SPDX-License-Identifier: Apache-2.0 */
/** Which trials are worth going on: pure functions of what all trials have reported. */
@NullMarked
package dev.elasticrun.tune.rule;

import org.jspecify.annotations.NullMarked;
