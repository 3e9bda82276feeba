/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.incident.RunEvent;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** An event as a line for people. Pure. */
final class EventView {
    private static final Set<String> FIXED =
            Set.of("run", "incarnation", "node", "round", "incident", "nanos", "time", "kind", "worker_nanos");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");
    private static final int KIND_WIDTH = 20;
    private static final int MAX_VALUE = 200;

    private EventView() {}

    /** Time, round, node, kind, and further fields. */
    static String line(RunEvent event, ZoneId zone) {
        String fields = StreamSupport.stream(
                        ((Iterable<String>) () -> event.json().fieldNames()).spliterator(), false)
                .filter(name -> !FIXED.contains(name))
                .sorted()
                .map(name -> name + "=" + value(event, name))
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

    private static String value(RunEvent event, String name) {
        String text = event.json().path(name).isTextual()
                ? event.text(name).lines().findFirst().orElse("")
                : event.json().path(name).toString();
        String cut = text.length() <= MAX_VALUE ? text : text.substring(0, MAX_VALUE) + " ...";
        return cut.contains(" ") && event.json().path(name).isTextual() ? "'" + cut + "'" : cut;
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
