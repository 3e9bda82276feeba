/* SPDX-License-Identifier: Apache-2.0 */
/** The operations since the last checkpoint, and how a replaced worker gets their results. */
@NullMarked
package dev.elasticrun.worker.internal.replay;

import org.jspecify.annotations.NullMarked;
