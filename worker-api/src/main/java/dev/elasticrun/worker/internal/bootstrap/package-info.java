/* SPDX-License-Identifier: Apache-2.0 */
/** Results of operations that are done once in a run. */
@NullMarked
package dev.elasticrun.worker.internal.bootstrap;

import org.jspecify.annotations.NullMarked;
