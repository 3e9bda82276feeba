/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/torchelastic-cases.md} has every case once, and what it names is there. */
final class TorchelasticCasesPageTest {
    private static final Pattern ROW = Pattern.compile("^\\| ([RAPECLTG]\\d+) \\| .+ \\| (.*)\\|$");
    private static final Pattern NAMED = Pattern.compile("`(\\w+)\\.(\\w+)`");
    private static final Pattern CASE_TEST = Pattern.compile("void ([rapecltg]\\d+_\\w+)\\(");

    @Test
    void page_everyCase_isThereOnceAndShown() throws IOException {
        List<String> expected = new ArrayList<>();
        IntStream.rangeClosed(1, 31).forEach(i -> expected.add("R" + i));
        IntStream.rangeClosed(1, 15).forEach(i -> expected.add("A" + i));
        IntStream.rangeClosed(1, 9).forEach(i -> expected.add("P" + i));
        expected.add("C5");
        IntStream.rangeClosed(1, 6).forEach(i -> expected.add("E" + i));
        IntStream.rangeClosed(1, 4).forEach(i -> expected.add("L" + i));
        IntStream.of(1, 2, 7, 8, 9, 10, 12, 13, 14).forEach(i -> expected.add("G" + i));

        assertThat(rows("docs/torchelastic-cases.md").map(Row::id)).containsExactlyElementsOf(expected);
        assertThat(rows("docs/torchelastic-cases.md"))
                .allSatisfy(row -> assertThat(row.shownBy()).containsPattern("`\\w+\\.\\w+`|0018"));
    }

    @Test
    void page_everyTestThatItNames_exists() throws IOException {
        Map<String, String> sources = testSources();

        assertThat(rows("docs/torchelastic-cases.md")
                        .flatMap(row -> NAMED.matcher(row.shownBy()).results()))
                .isNotEmpty()
                .allSatisfy(test -> assertThat(sources.getOrDefault(test.group(1), ""))
                        .as(test.group())
                        .contains("void " + test.group(2) + "("));
    }

    @Test
    void page_testsThatAreCalledAfterACase_areNamedInIt() throws IOException {
        String page = Files.readString(Project.ROOT.resolve("docs/torchelastic-cases.md"));

        assertThat(testSources().entrySet().stream().flatMap(source -> CASE_TEST
                        .matcher(source.getValue())
                        .results()
                        .map(test -> "`" + source.getKey() + "." + test.group(1) + "`")))
                .isNotEmpty()
                .allSatisfy(test -> assertThat(page).contains(test));
    }

    @Test
    void page_everyDifferenceThatItNames_isInTheRecord() throws IOException {
        List<String> differing = rows("docs/torchelastic-cases.md")
                .filter(row -> row.shownBy().contains("0018"))
                .map(Row::id)
                .toList();

        assertThat(rows("docs/adr/0018-torchelastic-cases.md").map(Row::id)).containsExactlyElementsOf(differing);
    }

    private record Row(String id, String shownBy) {}

    private static Stream<Row> rows(String page) throws IOException {
        return Files.readAllLines(Project.ROOT.resolve(page)).stream()
                .flatMap(line -> ROW.matcher(line).results())
                .map(row -> new Row(row.group(1), row.group(2)));
    }

    /** Test sources of all modules by the name of their class. */
    private static Map<String, String> testSources() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        for (String module : List.of("worker-api", "rendezvous", "agent", "launcher-cli", "samples")) {
            try (Stream<Path> files = Files.walk(Project.ROOT.resolve(module + "/src/test/java"))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .forEach(file ->
                                sources.put(file.getFileName().toString().replace(".java", ""), read(file)));
            }
        }
        return sources;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
