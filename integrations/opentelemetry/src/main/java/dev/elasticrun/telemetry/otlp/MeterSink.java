/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.telemetry.otlp;

import dev.elasticrun.agent.telemetry.MetricSink;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.ObjDoubleConsumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Instruments of a meter for the metrics of an agent. Their names are those of Prometheus without {@code _total}, which
 * a collector that serves them to Prometheus adds to counters. All points have the attributes that are given.
 *
 * @param <R> what is read, once for all metrics of a collection
 */
final class MeterSink<R> implements MetricSink<R> {
    private static final String OF_COUNTERS = "_total";
    private static final Map<String, String> UNITS = Map.of("_seconds", "s", "_bytes", "By");

    private final Meter meter;
    private final Attributes common;
    private final List<ObservableMeasurement> read = new ArrayList<>();
    private final List<Consumer<R>> readers = new ArrayList<>();

    MeterSink(Meter meter, Attributes common) {
        this.meter = meter;
        this.common = common;
    }

    /** From now on all that are not counted are read together. Called once. */
    void read(Supplier<R> reading) {
        if (!read.isEmpty()) {
            ObservableMeasurement[] others = read.subList(1, read.size()).toArray(ObservableMeasurement[]::new);
            meter.batchCallback(
                    () -> {
                        R current = reading.get();
                        readers.forEach(reader -> reader.accept(current));
                    },
                    read.get(0),
                    others);
        }
    }

    @Override
    public LongConsumer counter(String name, String help) {
        LongCounter counter = longCounter(name, help);
        counter.add(0, common);
        return count -> counter.add(count, common);
    }

    @Override
    public Consumer<String> counter(String name, String help, String label, List<String> values) {
        LongCounter counter = longCounter(name, help);
        values.forEach(value -> counter.add(0, with(label, value)));
        return value -> counter.add(1, with(label, value));
    }

    private LongCounter longCounter(String name, String help) {
        return meter.counterBuilder(plain(name))
                .setDescription(help)
                .setUnit(unit(name))
                .build();
    }

    @Override
    public ObjDoubleConsumer<String> histogram(
            String name, String help, String label, List<String> values, double... bounds) {
        DoubleHistogram histogram = meter.histogramBuilder(name)
                .setDescription(help)
                .setUnit(unit(name))
                .setExplicitBucketBoundariesAdvice(Arrays.stream(bounds).boxed().toList())
                .build();
        return (value, observed) -> histogram.record(observed, with(label, value));
    }

    @Override
    public void readCounter(String name, String help, ToDoubleFunction<R> value) {
        read(readCounter(name, help), value);
    }

    @Override
    public void readCounter(
            String name, String help, String label, Function<R, ? extends Map<String, ? extends Number>> values) {
        read(readCounter(name, help), label, values);
    }

    private ObservableDoubleMeasurement readCounter(String name, String help) {
        ObservableDoubleMeasurement counter = meter.counterBuilder(plain(name))
                .ofDoubles()
                .setDescription(help)
                .setUnit(unit(name))
                .buildObserver();
        read.add(counter);
        return counter;
    }

    @Override
    public void gauge(String name, String help, ToDoubleFunction<R> value) {
        read(gauge(name, help), value);
    }

    @Override
    public void gauge(
            String name, String help, String label, Function<R, ? extends Map<String, ? extends Number>> values) {
        read(gauge(name, help), label, values);
    }

    @Override
    public void gauge(String name, String help, List<String> names, Function<R, Map<List<String>, Double>> values) {
        ObservableDoubleMeasurement gauge = gauge(name, help);
        readers.add(current -> values.apply(current).forEach((keys, value) -> {
            AttributesBuilder attributes = common.toBuilder();
            for (int i = 0; i < names.size(); i++) {
                attributes.put(AttributeKey.stringKey(names.get(i)), keys.get(i));
            }
            gauge.record(value, attributes.build());
        }));
    }

    private ObservableDoubleMeasurement gauge(String name, String help) {
        ObservableDoubleMeasurement gauge = meter.gaugeBuilder(name)
                .setDescription(help)
                .setUnit(unit(name))
                .buildObserver();
        read.add(gauge);
        return gauge;
    }

    private void read(ObservableDoubleMeasurement instrument, ToDoubleFunction<R> value) {
        readers.add(current -> instrument.record(value.applyAsDouble(current), common));
    }

    private void read(
            ObservableDoubleMeasurement instrument,
            String label,
            Function<R, ? extends Map<String, ? extends Number>> values) {
        readers.add(current -> values.apply(current)
                .forEach((key, value) -> instrument.record(value.doubleValue(), with(label, key))));
    }

    private Attributes with(String label, String value) {
        return common.toBuilder().put(AttributeKey.stringKey(label), value).build();
    }

    private static String plain(String name) {
        return name.endsWith(OF_COUNTERS) ? name.substring(0, name.length() - OF_COUNTERS.length()) : name;
    }

    private static String unit(String name) {
        String plain = plain(name);
        return UNITS.entrySet().stream()
                .filter(unit -> plain.endsWith(unit.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }
}
