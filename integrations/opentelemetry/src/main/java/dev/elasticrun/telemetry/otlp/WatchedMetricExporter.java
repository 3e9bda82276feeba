/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.telemetry.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.MemoryMode;
import io.opentelemetry.sdk.metrics.Aggregation;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import java.util.Collection;
import java.util.List;

/** Sends the metrics of one scope, as the SDK adds some about itself, and reports whether they arrive. */
final class WatchedMetricExporter implements MetricExporter {
    private final MetricExporter exporter;
    private final String scope;
    private final Delivery delivery;

    WatchedMetricExporter(MetricExporter exporter, String scope, Delivery delivery) {
        this.exporter = exporter;
        this.scope = scope;
        this.delivery = delivery;
    }

    @Override
    public CompletableResultCode export(Collection<MetricData> metrics) {
        List<MetricData> own = metrics.stream()
                .filter(metric -> metric.getInstrumentationScopeInfo().getName().equals(scope))
                .toList();
        return own.isEmpty() ? CompletableResultCode.ofSuccess() : delivery.watch(exporter.export(own));
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType type) {
        return exporter.getAggregationTemporality(type);
    }

    @Override
    public Aggregation getDefaultAggregation(InstrumentType type) {
        return exporter.getDefaultAggregation(type);
    }

    @Override
    public MemoryMode getMemoryMode() {
        return exporter.getMemoryMode();
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
