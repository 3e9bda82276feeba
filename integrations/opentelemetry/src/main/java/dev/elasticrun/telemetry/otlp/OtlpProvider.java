/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.telemetry.otlp;

import dev.elasticrun.agent.telemetry.Telemetry;
import dev.elasticrun.agent.telemetry.TelemetryProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.net.URI;

/**
 * Sends telemetry by OTLP over HTTP. All else about it is configured as in any program, by the SDK's own variables
 * {@code OTEL_...}.
 */
public final class OtlpProvider implements TelemetryProvider {
    @Override
    public Telemetry open(Origin origin, URI collector) {
        try {
            return OtlpTelemetry.open(origin, collector);
        } catch (ConfigurationException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
