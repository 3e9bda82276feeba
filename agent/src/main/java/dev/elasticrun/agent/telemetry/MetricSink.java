/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.telemetry;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.ObjDoubleConsumer;
import java.util.function.ToDoubleFunction;

/**
 * Takes the metrics of one agent: some are counted as things happen, others are read whenever all are collected. Names are
 * those of Prometheus: of counters with {@code _total}, and with the unit before it. What a method returns is safe for
 * use by any thread, and does not block.
 *
 * @param <R> what is read, once for all metrics of a collection
 */
public interface MetricSink<R> {
    /** A counter from zero; the result adds to it. */
    LongConsumer counter(String name, String help);

    /** Counters from zero, one for each value of the label; the result adds one. */
    Consumer<String> counter(String name, String help, String label, List<String> values);

    /**
     * Histograms of no observation yet, one for each value of the label; the result adds an observation.
     *
     * @param bounds upper bounds of the buckets, increasing
     */
    ObjDoubleConsumer<String> histogram(String name, String help, String label, List<String> values, double... bounds);

    /** A counter whose value is counted elsewhere. */
    void readCounter(String name, String help, ToDoubleFunction<R> value);

    /** Counters whose values are counted elsewhere, by the value of the label. */
    void readCounter(
            String name, String help, String label, Function<R, ? extends Map<String, ? extends Number>> values);

    void gauge(String name, String help, ToDoubleFunction<R> value);

    /** Gauges by the value of the label. */
    void gauge(String name, String help, String label, Function<R, ? extends Map<String, ? extends Number>> values);

    /** Gauges by the values of several labels, in their order. */
    void gauge(String name, String help, List<String> names, Function<R, Map<List<String>, Double>> values);
}
