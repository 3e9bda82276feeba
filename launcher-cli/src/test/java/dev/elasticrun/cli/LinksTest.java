/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Links of all pages lead to files and headings that there are, and tables of contents have all pages but decisions. */
@Tag("once")
final class LinksTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path DOCS = ROOT.resolve("docs");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)|(?:src|srcset)=\"([^\"]+)\"");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```$");
    private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    @Test
    void links_leadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (String link : links(page)) {
                if (!link.contains("://") && !exists(page, link)) {
                    broken.add(ROOT.relativize(page) + ": " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void tableOfContents_hasAllPages() throws IOException {
        Path contents = DOCS.resolve("README.md");
        Set<Path> reached = new TreeSet<>();
        for (Path page : List.of(contents, DOCS.resolve("operations.md"))) {
            links(page).stream()
                    .filter(link -> !link.contains("://"))
                    .map(link -> target(page, link))
                    .forEach(reached::add);
        }
        assertThat(pages())
                .filteredOn(page ->
                        page.startsWith(DOCS) && !page.startsWith(DOCS.resolve("adr")) && !page.equals(contents))
                .allSatisfy(page -> assertThat(reached).contains(page));
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(DOCS)) {
            List<Path> pages =
                    new ArrayList<>(files.filter(file -> file.toString().endsWith(".md"))
                            .sorted()
                            .toList());
            pages.addAll(
                    List.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md"), ROOT.resolve("CHANGELOG.md")));
            return pages;
        }
    }

    private static List<String> links(Path page) {
        Matcher link = LINK.matcher(
                CODE.matcher(BLOCK.matcher(text(page)).replaceAll("")).replaceAll(""));
        List<String> links = new ArrayList<>();
        while (link.find()) {
            links.add(link.group(1) == null ? link.group(2) : link.group(1));
        }
        return links;
    }

    private static boolean exists(Path page, String link) {
        Path target = target(page, link);
        int anchor = link.indexOf('#');
        return Files.exists(target) && (anchor < 0 || anchors(target).contains(link.substring(anchor + 1)));
    }

    private static Path target(Path page, String link) {
        int anchor = link.indexOf('#');
        String file = anchor < 0 ? link : link.substring(0, anchor);
        return file.isEmpty() ? page : page.resolveSibling(file).normalize();
    }

    /** As they are made of headings: letters, digits, hyphens and underscores; of equal ones the later are numbered. */
    private static Set<String> anchors(Path page) {
        Set<String> anchors = new TreeSet<>();
        Map<String, Integer> count = new HashMap<>();
        Matcher heading = HEADING.matcher(BLOCK.matcher(text(page)).replaceAll(""));
        while (heading.find()) {
            String words = heading.group(1).replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1");
            String anchor = words.toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            int number = count.merge(anchor, 1, Integer::sum);
            anchors.add(number == 1 ? anchor : anchor + "-" + (number - 1));
        }
        return anchors;
    }

    private static String text(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
