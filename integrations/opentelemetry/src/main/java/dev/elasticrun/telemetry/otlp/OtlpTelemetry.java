/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.telemetry.otlp;

import dev.elasticrun.agent.telemetry.IncidentSpan;
import dev.elasticrun.agent.telemetry.MetricSink;
import dev.elasticrun.agent.telemetry.Telemetry;
import dev.elasticrun.agent.telemetry.TelemetryProvider.Origin;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What one agent sends. The SDK's own threads export it: no method but {@link #close} waits for the collector. */
final class OtlpTelemetry implements Telemetry {
    private static final String SCOPE = "dev.elasticrun";
    private static final long CLOSE_SECONDS = 10;

    // Unless a variable of OpenTelemetry gives them.
    private static final Map<String, String> DEFAULTS =
            Map.of("otel.service.name", "elastic-run", "otel.metric.export.interval", "10s");

    private static final AttributeKey<String> VERSION = AttributeKey.stringKey("service.version");
    private static final AttributeKey<String> HOST = AttributeKey.stringKey("host.name");
    private static final AttributeKey<String> RESOURCE_RUN = AttributeKey.stringKey("elasticrun.run");
    private static final AttributeKey<String> RESOURCE_NODE = AttributeKey.stringKey("elasticrun.node");
    // Of points, as in what is scraped: the resource's attributes are no labels in most stores.
    private static final AttributeKey<String> RUN = AttributeKey.stringKey("run");
    private static final AttributeKey<String> NODE = AttributeKey.stringKey("node");

    private final OpenTelemetrySdk sdk;
    private final SpanWriter spans;
    private final Attributes labels;

    private OtlpTelemetry(OpenTelemetrySdk sdk, TraceIds ids, Origin origin) {
        this.sdk = sdk;
        this.spans = new SpanWriter(sdk.getTracerProvider().get(SCOPE), ids);
        this.labels = Attributes.of(RUN, origin.runId(), NODE, origin.nodeId());
    }

    static OtlpTelemetry open(Origin origin, URI collector) {
        Delivery delivery = new Delivery(collector);
        TraceIds ids = new TraceIds();
        OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook()
                .setServiceClassLoader(OtlpTelemetry.class.getClassLoader())
                .addPropertiesSupplier(() -> DEFAULTS)
                .addPropertiesCustomizer(properties -> fixed(collector))
                .addResourceCustomizer((resource, properties) -> resource.merge(Resource.create(resource(origin))))
                .addTracerProviderCustomizer((tracers, properties) -> tracers.setIdGenerator(ids))
                .addSpanExporterCustomizer((exporter, properties) -> new WatchedSpanExporter(exporter, delivery))
                .addMetricExporterCustomizer(
                        (exporter, properties) -> new WatchedMetricExporter(exporter, SCOPE, delivery))
                .build()
                .getOpenTelemetrySdk();
        return new OtlpTelemetry(sdk, ids, origin);
    }

    // Whatever variables of OpenTelemetry state, which may be meant for workers.
    private static Map<String, String> fixed(URI collector) {
        return Map.of(
                "otel.exporter.otlp.endpoint", collector.toString(),
                "otel.exporter.otlp.protocol", "http/protobuf",
                "otel.metrics.exporter", "otlp",
                "otel.traces.exporter", "otlp",
                "otel.logs.exporter", "none");
    }

    private static Attributes resource(Origin origin) {
        AttributesBuilder attributes = Attributes.builder()
                .put(HOST, origin.host())
                .put(RESOURCE_RUN, origin.runId())
                .put(RESOURCE_NODE, origin.nodeId());
        if (!origin.version().isEmpty()) {
            attributes.put(VERSION, origin.version());
        }
        return attributes.build();
    }

    @Override
    public <R> void metrics(Supplier<R> reading, Consumer<MetricSink<R>> description) {
        MeterSink<R> sink = new MeterSink<>(sdk.getMeterProvider().get(SCOPE), labels);
        description.accept(sink);
        sink.read(reading);
    }

    @Override
    public void incident(IncidentSpan span) {
        spans.write(span);
    }

    @Override
    public void close() {
        sdk.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
