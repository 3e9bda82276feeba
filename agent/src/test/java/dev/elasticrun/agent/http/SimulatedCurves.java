/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import dev.elasticrun.agent.incident.RoundSpan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** What workers did in rounds that a test made. */
final class SimulatedCurves {
    private static final int POINTS = 120;

    private SimulatedCurves() {}

    static CurvePicture of(long now, List<RoundSpan> rounds, int slots) {
        long begin = rounds.get(0).times().sealed();
        List<Long> millis = new ArrayList<>();
        for (int at = 0; at < POINTS; at++) {
            millis.add(begin + (now - begin) * at / (POINTS - 1));
        }
        Map<String, Integer> first = new TreeMap<>();
        rounds.forEach(round -> round.members().forEach(member -> first.putIfAbsent(member.node(), 0)));
        List<CurvePicture.Node> nodes = new ArrayList<>();
        for (String node : first.keySet()) {
            List<CurvePicture.Worker> workers = new ArrayList<>();
            for (int slot = 0; slot < slots; slot++) {
                workers.add(worker(millis, rounds, node, slot));
            }
            nodes.add(new CurvePicture.Node(node, millis, workers));
        }
        Map<String, List<@Nullable Double>> run = new LinkedHashMap<>();
        run.put("world", each(millis, at -> at(rounds, at).worldSize()));
        run.put("goodput", each(millis, at -> 0.97 - 200.0 / (1000 + at - begin)));
        return new CurvePicture(now, millis, run, nodes);
    }

    private static CurvePicture.Worker worker(List<Long> millis, List<RoundSpan> rounds, String node, int slot) {
        List<Integer> ranks = millis.stream()
                .map(at -> at(rounds, at).members().stream()
                        .filter(member -> member.node().equals(node))
                        .map(member -> member.firstRank() + slot)
                        .findFirst()
                        .orElse(-1))
                .toList();
        long begin = millis.get(0);
        long place = 8L * node.hashCode() % 5 + slot;
        Map<String, List<@Nullable Double>> curves = new LinkedHashMap<>();
        curves.put("speed", each(millis, at -> isWorking(rounds, at) ? 10 + Math.sin(at / 9e3 + place) / 4 : 0));
        curves.put("memory", each(millis, at -> 3e8 + 2e6 * place + (at - begin) * 100));
        curves.put("cpu", each(millis, at -> isWorking(rounds, at) ? 0.9 + Math.cos(at / 7e3 + place) / 20 : 0.05));
        curves.put("collection", each(millis, at -> 0.02 + Math.cos(at / 5e3 + place) / 60));
        curves.put("metric:loss", each(millis, at -> 2.5 * Math.exp(-(at - begin) / 9e4) + 0.1));
        return new CurvePicture.Worker(slot, ranks, curves);
    }

    private static List<@Nullable Double> each(List<Long> millis, DoubleUnaryOperator value) {
        List<@Nullable Double> values = new ArrayList<>();
        millis.forEach(at -> values.add(value.applyAsDouble(at)));
        return values;
    }

    private static RoundSpan at(List<RoundSpan> rounds, double millis) {
        RoundSpan found = rounds.get(0);
        for (RoundSpan round : rounds) {
            found = round.times().sealed() <= millis ? round : found;
        }
        return found;
    }

    private static boolean isWorking(List<RoundSpan> rounds, double millis) {
        RoundSpan.Times times = at(rounds, millis).times();
        return times.resumed() != null
                && times.resumed() <= millis
                && (times.broken() == null || millis < times.broken());
    }
}
