/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tables of threads in docs/architecture.md are those that the sources start. */
@Tag("once")
final class ThreadTablesTest {
    private static final Path ROOT = Path.of("..");
    private static final List<String> MODULES = List.of(
            "worker-api",
            "rendezvous",
            "agent",
            "integrations/xgboost-runtime",
            "integrations/slurm",
            "integrations/kubernetes",
            "integrations/spark",
            "tune",
            "launcher-cli",
            "testing");
    /** A thread of its own, or of a factory, whose name is in the same statement. */
    private static final Pattern THREAD = Pattern.compile(
            "(?:new Thread\\((?:[^;\"]|\"[^\"]*\")*?, |Daemons\\.(?:of|start|named)\\(\\s*)\"([a-z0-9-]+)\"");

    private static final Pattern ROW = Pattern.compile("^\\|([^|]*)\\|", Pattern.MULTILINE);
    private static final Pattern NAME = Pattern.compile("`([a-z0-9-]+?)(?:-?N)?`");

    @Test
    void threads_ofTheSources_areThoseOfThePage() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/architecture.md"));
        Set<String> described = new TreeSet<>();
        for (String title : List.of("## Threads of an agent", "## Threads of a worker")) {
            String section = page.substring(page.indexOf(title) + title.length());
            names(ROW, section.substring(0, section.indexOf("\n## ")))
                    .forEach(cell -> described.addAll(names(NAME, cell)));
        }
        described.addAll(names(NAME, page.substring(page.indexOf("Commands have `"), page.indexOf("## An incident"))));
        StringBuilder sources = new StringBuilder();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    sources.append(Files.readString(file));
                }
            }
        }
        Set<String> started = names(THREAD, sources.toString()).stream()
                .map(name -> name.endsWith("-") ? name.substring(0, name.length() - 1) : name)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(started).as("pattern").hasSizeGreaterThan(20);
        assertThat(described).containsAll(started);
        assertThat(described).allSatisfy(name -> assertThat(sources).contains('"' + name));
    }

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toSet());
    }
}
