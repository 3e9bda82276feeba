/* SPDX-License-Identifier: Apache-2.0 */
/** A runtime of one's own. */
@NullMarked
package dev.elasticrun.samples.runtime;

import org.jspecify.annotations.NullMarked;
