/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.proto.Curve;
import dev.elasticrun.proto.Metric;
import dev.elasticrun.proto.NodeCurves;
import dev.elasticrun.proto.WorkerCurves;
import dev.elasticrun.proto.WorkerStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the workers of a node did, from the first of them on, in bounded memory: when it is full, every other value is
 * dropped, and from then on values are kept half as often. The newest is replaced until it is kept. Safe for use by any
 * thread; who adds does not wait while others make something of it.
 */
public final class CurveLog {
    static final int MAX_POINTS = 180;
    /** Of the metrics of a worker's program, those that it published first. */
    static final int MAX_METRICS = 8;

    /** Before the name of a metric that a program publishes. */
    private static final String METRIC = "metric:";

    private static final int RUN = -1;
    private static final String RANK = "rank";
    private static final String SPEED = "speed";
    private static final String MEMORY = "memory";
    private static final String CPU = "cpu";
    private static final String COLLECTION = "collection";

    private final long[] times = new long[MAX_POINTS];
    // By slot and name.
    private final Map<Integer, Map<String, double[]>> values = new TreeMap<>();
    private long periodMillis;
    private int count;

    public CurveLog(long periodMillis) {
        this.periodMillis = periodMillis;
    }

    /**
     * How it is now.
     *
     * @param nowMillis never earlier than before
     * @param run what is known of the whole run, by name
     */
    public synchronized void add(long nowMillis, List<WorkerStatus> workers, Map<String, Double> run) {
        if (count == MAX_POINTS && isKept(nowMillis)) {
            halve();
        }
        if (count < 2 || isKept(nowMillis)) {
            count++;
        }
        int at = count - 1;
        times[at] = nowMillis;
        values.values().forEach(curves -> curves.values().forEach(curve -> curve[at] = Double.NaN));
        run.forEach((name, value) -> put(RUN, name, value));
        for (WorkerStatus worker : workers) {
            int slot = worker.getSlot();
            put(slot, RANK, worker.getRank());
            put(slot, SPEED, worker.getStepsPerSecond() < 0 ? Double.NaN : worker.getStepsPerSecond());
            put(slot, MEMORY, worker.getMemoryBytes() == 0 ? Double.NaN : worker.getMemoryBytes());
            put(slot, CPU, worker.hasCpuMillis() ? worker.getCpuMillis() : Double.NaN);
            put(slot, COLLECTION, worker.hasCollectionMillis() ? worker.getCollectionMillis() : Double.NaN);
            worker.getMetricsList().stream().limit(MAX_METRICS).forEach(metric -> putMetric(slot, metric));
        }
    }

    // The values between the newest two that are kept are replaced.
    private boolean isKept(long nowMillis) {
        return times[count - 1] - times[count - 2] >= periodMillis && nowMillis > times[count - 1];
    }

    private void putMetric(int slot, Metric metric) {
        Map<String, double[]> curves = values.getOrDefault(slot, Map.of());
        String name = METRIC + metric.getName();
        long known =
                curves.keySet().stream().filter(one -> one.startsWith(METRIC)).count();
        if (known < MAX_METRICS || curves.containsKey(name)) {
            put(slot, name, metric.getValue());
        }
    }

    private void put(int slot, String name, double value) {
        values.computeIfAbsent(slot, unknown -> new TreeMap<>())
                .computeIfAbsent(name, unknown -> {
                    double[] curve = new double[MAX_POINTS];
                    Arrays.fill(curve, Double.NaN);
                    return curve;
                })[count - 1] = value;
    }

    private void halve() {
        int half = MAX_POINTS / 2;
        for (int at = 0; at < half; at++) {
            times[at] = times[2 * at + 1];
        }
        values.values().forEach(curves -> curves.values().forEach(curve -> {
            for (int at = 0; at < half; at++) {
                curve[at] = curve[2 * at + 1];
            }
            Arrays.fill(curve, half, MAX_POINTS, Double.NaN);
        }));
        count = half;
        periodMillis *= 2;
    }

    /** All there is; counters as the share of the time by which they grew. */
    public NodeCurves read(long nowMillis) {
        return copy().build(nowMillis);
    }

    private synchronized CurveLog copy() {
        CurveLog copy = new CurveLog(periodMillis);
        System.arraycopy(times, 0, copy.times, 0, count);
        values.forEach((slot, curves) -> {
            Map<String, double[]> copied = new TreeMap<>(curves);
            copied.replaceAll((name, curve) -> curve.clone());
            copy.values.put(slot, copied);
        });
        copy.count = count;
        return copy;
    }

    private NodeCurves build(long nowMillis) {
        NodeCurves.Builder node = NodeCurves.newBuilder().setNowMillis(nowMillis);
        for (int at = 0; at < count; at++) {
            node.addMillis(times[at]);
        }
        values.forEach((slot, curves) -> {
            if (slot == RUN) {
                curves.forEach((name, curve) -> node.addRun(curve(name, curve)));
                return;
            }
            WorkerCurves.Builder worker = WorkerCurves.newBuilder().setSlot(slot);
            curves.forEach((name, curve) -> {
                switch (name) {
                    case RANK -> addRanks(worker, curve);
                    case CPU, COLLECTION -> worker.addCurves(curve(name, growth(curve)));
                    default -> worker.addCurves(curve(name, curve));
                }
            });
            node.addWorkers(worker);
        });
        return node.build();
    }

    private void addRanks(WorkerCurves.Builder worker, double[] curve) {
        for (int at = 0; at < count; at++) {
            worker.addRanks(Double.isNaN(curve[at]) ? -1 : (int) curve[at]);
        }
    }

    // A counter that went back is that of another process.
    private double[] growth(double[] curve) {
        double[] growth = new double[count];
        Arrays.fill(growth, Double.NaN);
        for (int at = 1; at < count; at++) {
            double grown = (curve[at] - curve[at - 1]) / (times[at] - times[at - 1]);
            growth[at] = grown < 0 ? Double.NaN : grown;
        }
        return growth;
    }

    private Curve curve(String name, double[] curve) {
        Curve.Builder built = Curve.newBuilder().setName(name);
        for (int at = 0; at < count; at++) {
            built.addValues((float) curve[at]);
        }
        return built.build();
    }
}
