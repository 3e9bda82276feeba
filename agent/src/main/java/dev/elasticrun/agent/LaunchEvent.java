/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One event of a node's agent. {@code docs/events.md} has the kinds with their fields, and what may change in them.
 *
 * @param kind like {@code worker.failed}
 * @param round the newest that the agent had received; 0 = none
 * @param time wall clock of the agent's host
 * @param fields all fields of the event's line in {@code events.jsonl} that have a value: texts, numbers, booleans, lists and
 *     maps of them
 */
public record LaunchEvent(String kind, long round, Instant time, Map<String, Object> fields) {

    /** @param fields not changed, and not copied deeply */
    public LaunchEvent {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    static LaunchEvent of(Instant time, Map<String, @Nullable Object> line) {
        Map<String, Object> known = new LinkedHashMap<>();
        line.forEach((name, value) -> {
            if (value != null) {
                known.put(name, value);
            }
        });
        return new LaunchEvent(
                String.valueOf(Objects.requireNonNull(line.get("kind"), "kind")),
                line.get("round") instanceof Number round ? round.longValue() : 0,
                time,
                known);
    }
}
