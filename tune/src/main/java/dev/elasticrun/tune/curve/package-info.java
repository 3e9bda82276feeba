/* SPDX-License-Identifier: Apache-2.0 */
/** What trials have reached, as numbers by step. */
@NullMarked
package dev.elasticrun.tune.curve;

import org.jspecify.annotations.NullMarked;
