/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Studies: many elastic runs that try parameters, judged while they run. {@link dev.elasticrun.tune.Study} describes and drives
 * one, {@link dev.elasticrun.tune.pool.PoolAgent}s work.
 */
@NullMarked
package dev.elasticrun.tune;

import org.jspecify.annotations.NullMarked;
