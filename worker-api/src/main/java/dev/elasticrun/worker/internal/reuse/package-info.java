/* SPDX-License-Identifier: Apache-2.0 */
/** Processes that work for one run after the other, and what they keep in between. */
@NullMarked
package dev.elasticrun.worker.internal.reuse;

import org.jspecify.annotations.NullMarked;
