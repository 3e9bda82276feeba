/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.telemetry.otlp;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;

/** Reports whether spans arrive. */
final class WatchedSpanExporter implements SpanExporter {
    private final SpanExporter exporter;
    private final Delivery delivery;

    WatchedSpanExporter(SpanExporter exporter, Delivery delivery) {
        this.exporter = exporter;
        this.delivery = delivery;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        return delivery.watch(exporter.export(spans));
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
