/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.EventFields;
import dev.elasticrun.agent.events.RunEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page of events has every kind that an agent writes, and no other. */
@Tag("once")
final class EventsPageTest {
    private static final Path PAGE = Path.of("../docs/events.md");
    private static final Pattern KIND = Pattern.compile("`([a-z]+\\.[a-z_]+)`");
    private static final Pattern FIELD = Pattern.compile("`([a-z_]+)`");

    @Test
    void page_hasEachKindWithItsFields() throws IOException {
        Map<String, Set<String>> described = new TreeMap<>();
        Files.readString(PAGE)
                .lines()
                .dropWhile(line -> !line.startsWith("<!-- kinds"))
                .takeWhile(line -> !line.startsWith("<!-- end of kinds"))
                .filter(line -> line.startsWith("| `"))
                .forEach(line -> {
                    String[] cells = line.split("\\|", 4);
                    Set<String> fields = find(FIELD, cells[3]);
                    find(KIND, cells[1]).forEach(kind -> described.put(kind, fields));
                });

        assertThat(described.keySet()).isEqualTo(EventFields.kinds());
        described.forEach((kind, fields) -> {
            RunEvent event = EventFields.parse(kind, Map.of("how", "signal"));
            assertThat(fields).as(kind).containsAll(EventFields.of(event).keySet());
        });
    }

    private static Set<String> find(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toSet());
    }
}
