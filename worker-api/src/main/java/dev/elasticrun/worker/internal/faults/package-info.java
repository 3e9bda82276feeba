/* SPDX-License-Identifier: Apache-2.0 */
/** Points at which tests end a worker. Nothing is there in production. */
@NullMarked
package dev.elasticrun.worker.internal.faults;

import org.jspecify.annotations.NullMarked;
