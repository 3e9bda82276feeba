/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One JSON object for each line: {@code time}, {@code level}, {@code run} and {@code node} once they are known, {@code
 * message}, and {@code stack} with an exception. Pure.
 */
record JsonStyle(ZoneId zone, Supplier<Optional<LogOrigin>> origin) implements LogStyle {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Override
    public String line(Instant time, Level level, String message, String stack) {
        StringBuilder stamp = new StringBuilder(32);
        Timestamp.append(stamp, time, zone);
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("time", stamp.toString());
        fields.put("level", level.toString());
        origin.get().ifPresent(known -> {
            fields.put("run", known.run());
            fields.put("node", known.node());
        });
        fields.put("message", message);
        if (!stack.isEmpty()) {
            fields.put("stack", stack);
        }
        try {
            return MAPPER.writeValueAsString(fields) + System.lineSeparator();
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a map of texts is no JSON", e);
        }
    }
}
