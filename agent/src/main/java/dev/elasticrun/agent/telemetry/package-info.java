/* SPDX-License-Identifier: Apache-2.0 */
/** What an agent sends of its metrics and incidents, and the interface for what sends it. */
@NullMarked
package dev.elasticrun.agent.telemetry;

import org.jspecify.annotations.NullMarked;
