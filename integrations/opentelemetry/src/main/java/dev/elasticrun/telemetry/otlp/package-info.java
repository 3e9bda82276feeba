/* SPDX-License-Identifier: Apache-2.0 */
/** Metrics and incidents of an agent, sent by the SDK of OpenTelemetry. */
@NullMarked
package dev.elasticrun.telemetry.otlp;

import org.jspecify.annotations.NullMarked;
