/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.metrics;

import dev.elasticrun.agent.telemetry.MetricSink;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.ObjDoubleConsumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of one agent in the formats of Prometheus; those that are not counted are read at each scrape. All have the labels {@code run} and {@code node}. Safe for use by any thread.
 *
 * @param <R> what is read, once for all metrics of a scrape
 */
public final class MetricsRegistry<R> implements MetricSink<R> {
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Labels labels;
    private final Supplier<R> reading;
    private @Nullable R current;

    /** @param reading called at each scrape, by the thread that answers it; may block for a moment */
    public MetricsRegistry(String run, String node, Supplier<R> reading) {
        this.labels = Labels.of("run", run, "node", node);
        this.reading = reading;
    }

    @Override
    public LongConsumer counter(String name, String help) {
        return Counter.builder().name(name).help(help).constLabels(labels).register(registry)::inc;
    }

    @Override
    public Consumer<String> counter(String name, String help, String label, List<String> values) {
        Counter counter = Counter.builder()
                .name(name)
                .help(help)
                .labelNames(label)
                .constLabels(labels)
                .register(registry);
        values.forEach(counter::labelValues);
        return value -> counter.labelValues(value).inc();
    }

    @Override
    public ObjDoubleConsumer<String> histogram(
            String name, String help, String label, List<String> values, double... bounds) {
        Histogram histogram = Histogram.builder()
                .name(name)
                .help(help)
                .labelNames(label)
                .constLabels(labels)
                .classicOnly()
                .classicUpperBounds(bounds)
                .register(registry);
        values.forEach(histogram::labelValues);
        return (value, observed) -> histogram.labelValues(value).observe(observed);
    }

    @Override
    public void readCounter(String name, String help, ToDoubleFunction<R> value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(labels)
                .callback(counter -> counter.call(value.applyAsDouble(current())))
                .register(registry);
    }

    @Override
    public void readCounter(
            String name, String help, String label, Function<R, ? extends Map<String, ? extends Number>> values) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(label)
                .constLabels(labels)
                .callback(counter ->
                        values.apply(current()).forEach((key, value) -> counter.call(value.doubleValue(), key)))
                .register(registry);
    }

    @Override
    public void gauge(String name, String help, ToDoubleFunction<R> value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(labels)
                .callback(gauge -> gauge.call(value.applyAsDouble(current())))
                .register(registry);
    }

    @Override
    public void gauge(
            String name, String help, String label, Function<R, ? extends Map<String, ? extends Number>> values) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(label)
                .constLabels(labels)
                .callback(
                        gauge -> values.apply(current()).forEach((key, value) -> gauge.call(value.doubleValue(), key)))
                .register(registry);
    }

    @Override
    public void gauge(String name, String help, List<String> names, Function<R, Map<List<String>, Double>> values) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(names.toArray(String[]::new))
                .constLabels(labels)
                .callback(gauge ->
                        values.apply(current()).forEach((key, value) -> gauge.call(value, key.toArray(String[]::new))))
                .register(registry);
    }

    private R current() {
        return Objects.requireNonNull(current, "no scrape is going on");
    }

    /**
     * All metrics as a text.
     *
     * @param type for the header {@code Content-Type}
     */
    public record Page(String type, byte[] text) {}

    /** @param accept the scraper's header; OpenMetrics if it takes that, else the older text format */
    public synchronized Page scrape(String accept) {
        ExpositionFormatWriter open = OpenMetricsTextFormatWriter.builder()
                .setCreatedTimestampsEnabled(false)
                .build();
        ExpositionFormatWriter writer = open.accepts(accept)
                ? open
                : PrometheusTextFormatWriter.builder()
                        .setIncludeCreatedTimestamps(false)
                        .build();
        current = reading.get();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writer.write(out, registry.scrape());
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return new Page(writer.getContentType(), out.toByteArray());
    }
}
