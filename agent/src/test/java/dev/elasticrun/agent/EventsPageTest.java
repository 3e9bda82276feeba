/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page of events has every kind that an agent writes, and no other. */
@Tag("once")
final class EventsPageTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path PAGE = Path.of("../docs/events.md");
    private static final Pattern LITERAL =
            Pattern.compile("\"((?:certificate|work|worker|workers|run|node|round|incident|pause|peer|store"
                    + "|state|coordinator|command|control|agent|logs?)\\.[a-z_]+)\"");
    private static final Pattern NAME = Pattern.compile("`([a-z]+\\.[a-z_]+)`");
    private static final String FILE = "run.json";

    @Test
    void kinds_ofTheSources_areThoseOfThePage() throws IOException {
        Set<String> kinds = new TreeSet<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                find(LITERAL, Files.readString(file), kinds);
            }
        }
        kinds.remove(FILE);
        Set<String> described = new TreeSet<>();
        Files.readString(PAGE)
                .lines()
                .dropWhile(line -> !line.startsWith("<!-- kinds"))
                .filter(line -> line.startsWith("| `"))
                .forEach(line -> find(NAME, line.split("\\|", 3)[1], described));

        assertThat(described).isEqualTo(kinds);
    }

    private static void find(Pattern pattern, String text, Set<String> found) {
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
    }
}
