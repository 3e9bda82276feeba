/* SPDX-License-Identifier: Apache-2.0 */
/** Starting a run from Java. */
@NullMarked
package dev.elasticrun.samples.launch;

import org.jspecify.annotations.NullMarked;
