/* SPDX-License-Identifier: Apache-2.0 */
/** Programs that run under elastic-run. */
@NullMarked
package dev.elasticrun.samples;

import org.jspecify.annotations.NullMarked;
