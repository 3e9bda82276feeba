/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.cli.text.PlainText;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An event as one human-readable line. Pure. */
public final class EventView {
    private static final Set<String> FIXED = Set.of(
            "schema", "run", "incarnation", "node", "round", "incident", "nanos", "time", "kind", "worker_nanos");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int KIND_WIDTH = 20;
    private static final int MAX_VALUE = 200;

    private EventView() {}

    /** Time, round, node, kind, and further fields. */
    public static String line(LoggedEvent event, ZoneId zone) {
        String fields = event.line().keySet().stream()
                .filter(name -> !FIXED.contains(name))
                .sorted()
                .map(name -> name + "=" + value(event.line().get(name)))
                .collect(Collectors.joining(" "));
        String line = String.join(
                        "  ",
                        List.of(
                                TIME.format(event.time().atZone(zone)),
                                pad("r" + event.round(), 4),
                                event.node(),
                                pad(event.kind(), KIND_WIDTH),
                                fields))
                .stripTrailing();
        return PlainText.line(line);
    }

    private static String value(@Nullable Object value) {
        String text = value instanceof String one
                ? one.lines().findFirst().orElse("")
                : MAPPER.valueToTree(value).toString();
        String cut = text.length() <= MAX_VALUE ? text : text.substring(0, MAX_VALUE) + " ...";
        return cut.contains(" ") && value instanceof String ? "'" + cut + "'" : cut;
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
