/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the workers of a run did over time, as the page draws it. Lists of values have one element for each time; null =
 * not known.
 *
 * @param now milliseconds since 1970, as all times
 * @param run by name: world (workers of the round, 0 = paused) and goodput
 */
public record CurvePicture(long now, List<Long> millis, Map<String, List<@Nullable Double>> run, List<Node> nodes) {
    public CurvePicture {
        millis = List.copyOf(millis);
        run = copy(run);
        nodes = List.copyOf(nodes);
    }

    private static Map<String, List<@Nullable Double>> copy(Map<String, List<@Nullable Double>> curves) {
        Map<String, List<@Nullable Double>> copy = new LinkedHashMap<>();
        curves.forEach((name, values) -> copy.put(name, Collections.unmodifiableList(new ArrayList<>(values))));
        return Collections.unmodifiableMap(copy);
    }

    /** A node, with the times of its values. */
    public record Node(String node, List<Long> millis, List<Worker> workers) {
        public Node {
            millis = List.copyOf(millis);
            workers = List.copyOf(workers);
        }
    }

    /**
     * A place for a worker, with all processes that it had.
     *
     * @param ranks -1 = it had none
     * @param curves by name: speed (steps a second), memory (bytes), cpu and collection (share of the time), and
     *     {@code metric:NAME}
     */
    public record Worker(int slot, List<Integer> ranks, Map<String, List<@Nullable Double>> curves) {
        public Worker {
            ranks = List.copyOf(ranks);
            curves = copy(curves);
        }
    }
}
