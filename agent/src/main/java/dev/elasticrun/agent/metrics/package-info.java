/* SPDX-License-Identifier: Apache-2.0 */
/** The agent's metrics for Prometheus. The only users of its library; loaded only when somebody asked for metrics. */
@NullMarked
package dev.elasticrun.agent.metrics;

import org.jspecify.annotations.NullMarked;
