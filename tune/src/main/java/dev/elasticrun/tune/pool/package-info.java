/* SPDX-License-Identifier: Apache-2.0 */
/** Agents that are started once and work for one trial after the other. */
@NullMarked
package dev.elasticrun.tune.pool;

import org.jspecify.annotations.NullMarked;
