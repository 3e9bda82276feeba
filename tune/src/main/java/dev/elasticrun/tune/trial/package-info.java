/* SPDX-License-Identifier: Apache-2.0 */
/** Trials: begun, reported, judged and ended. Without effects. */
@NullMarked
package dev.elasticrun.tune.trial;

import org.jspecify.annotations.NullMarked;
