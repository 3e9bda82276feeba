/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What an agent knows of XGBoost: trackers by which the workers of a round form its collective, and the thread without which
 * a worker waits in it for ever. Behind the SPI {@code dev.elasticrun.agent.runtime}, of which it uses nothing else of the
 * agent; found by {@link java.util.ServiceLoader}.
 */
@NullMarked
package dev.elasticrun.runtime.xgboost;

import org.jspecify.annotations.NullMarked;
