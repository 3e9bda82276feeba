/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.soak;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What two agents, their directories and their store hold at one moment of a soak.
 *
 * @param seconds since the soak began
 * @param round newest of the run
 * @param events written so far by both agents
 * @param values by name: {@link #OF_AGENT}, with the letter of an agent, and those of the store
 */
record Sample(long seconds, long round, long events, Map<String, Long> values) {
    /** Of each agent; its letter comes before them. Its console is the agent's standard error. */
    static final List<String> OF_AGENT = List.of(
            "heap_kb",
            "rss_kb",
            "descriptors",
            "threads",
            "event_bytes",
            "worker_log_bytes",
            "console_bytes",
            "run_directory_bytes");

    /** Of what both share. */
    static final List<String> SHARED = List.of("checkpoint_bytes", "etcd_keys", "etcd_bytes_in_use", "etcd_bytes");

    Sample {
        values = Map.copyOf(values);
    }

    static List<String> columns() {
        return Stream.of(
                        OF_AGENT.stream().map(column -> "a_" + column),
                        OF_AGENT.stream().map(column -> "b_" + column),
                        SHARED.stream())
                .flatMap(column -> column)
                .toList();
    }

    static String header() {
        return "seconds,round,events," + String.join(",", columns());
    }

    long value(String column) {
        Long value = values.get(column);
        if (value == null) {
            throw new IllegalArgumentException("column: " + column + " (expected: one of " + columns() + ")");
        }
        return value;
    }

    String line() {
        return seconds + "," + round + "," + events + ","
                + columns().stream().map(column -> Long.toString(value(column))).collect(Collectors.joining(","));
    }
}
