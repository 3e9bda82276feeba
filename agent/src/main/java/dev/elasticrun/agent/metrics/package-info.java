/* SPDX-License-Identifier: Apache-2.0 */
/** The agent's metrics for Prometheus. The only users of its library; loaded only when metrics are configured. */
@NullMarked
package dev.elasticrun.agent.metrics;

import org.jspecify.annotations.NullMarked;
