/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.past;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.http.CurvePicture;
import dev.elasticrun.agent.incident.RoundSpan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What programs published over time, and the world sizes, as events have them. Of long runs every other value is
 * dropped, again and again. Pure; owned by one thread.
 */
final class PastCurves {
    static final int MAX_LOOKS = 360;
    private static final int MAX_METRICS = 8;
    /** The metrics of a worker are recorded one after the other. */
    private static final long ONE_LOOK_MILLIS = 1000;

    private final Map<String, Map<Integer, Worker>> nodes = new TreeMap<>();

    private static final class Worker {
        private final List<Look> looks = new ArrayList<>();
        private final Set<String> names = new LinkedHashSet<>();
        private int skipped;
        private int every = 1;
    }

    /** The values of one moment; those of a worker without a rank have -1. */
    private record Look(long millis, int rank, Map<String, Double> values) {}

    /** @param rank of the worker, -1 = none is known */
    void see(LoggedEvent logged, RunEvent.WorkerMetric metric, int rank) {
        Worker worker = nodes.computeIfAbsent(logged.node(), unknown -> new TreeMap<>())
                .computeIfAbsent(metric.worker().slot(), unknown -> new Worker());
        if (worker.names.size() >= MAX_METRICS && !worker.names.contains(metric.name())) {
            return;
        }
        worker.names.add(metric.name());
        long millis = logged.time().toEpochMilli();
        Look last = worker.looks.isEmpty() ? null : worker.looks.get(worker.looks.size() - 1);
        if (last == null || millis - last.millis() > ONE_LOOK_MILLIS || last.rank() != rank) {
            begin(worker, new Look(millis, rank, new LinkedHashMap<>()));
            last = worker.looks.get(worker.looks.size() - 1);
        }
        Map<String, Double> values = last.values();
        metric.value().ifPresent(value -> values.put(metric.name(), value));
    }

    // The newest is replaced until it is one that is kept.
    private static void begin(Worker worker, Look look) {
        if (worker.looks.size() == MAX_LOOKS) {
            for (int at = MAX_LOOKS / 2 - 1; at >= 0; at--) {
                worker.looks.remove(2 * at);
            }
            worker.every *= 2;
            worker.skipped = 0;
        }
        if (worker.skipped > 0) {
            worker.looks.remove(worker.looks.size() - 1);
        }
        worker.looks.add(look);
        worker.skipped = (worker.skipped + 1) % worker.every;
    }

    CurvePicture picture(long now, List<RoundSpan> rounds) {
        List<CurvePicture.Node> all = new ArrayList<>();
        nodes.forEach((node, workers) -> workers.forEach((slot, worker) -> all.add(node(node, slot, worker))));
        List<Long> millis = new ArrayList<>();
        List<@Nullable Double> world = new ArrayList<>();
        for (int at = 0; at < rounds.size(); at++) {
            RoundSpan round = rounds.get(at);
            long end = at + 1 < rounds.size() ? rounds.get(at + 1).times().sealed() : now;
            double size = round.suspended() ? 0 : round.worldSize();
            millis.addAll(List.of(round.times().sealed(), Math.max(round.times().sealed(), end)));
            world.addAll(List.of(size, size));
        }
        return new CurvePicture(now, millis, Map.of("world", world), all);
    }

    private static CurvePicture.Node node(String node, int slot, Worker worker) {
        Map<String, List<@Nullable Double>> curves = new LinkedHashMap<>();
        for (String name : worker.names) {
            List<@Nullable Double> values = new ArrayList<>();
            worker.looks.forEach(look -> values.add(look.values().get(name)));
            curves.put("metric:" + name, values);
        }
        return new CurvePicture.Node(
                node,
                worker.looks.stream().map(Look::millis).toList(),
                List.of(new CurvePicture.Worker(
                        slot, worker.looks.stream().map(Look::rank).toList(), curves)));
    }
}
