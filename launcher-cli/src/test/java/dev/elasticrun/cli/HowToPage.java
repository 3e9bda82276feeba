/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A page of docs/howto.
 *
 * @param text of the whole page
 */
record HowToPage(String name, String text) {
    private static final Path PAGES = Path.of("../docs/howto");
    private static final Pattern SHELL =
            Pattern.compile("(<!-- runs -->\\n)?```(?:sh|ini)\\n(.*?)\\n```", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|'[^']*'|\\S+");
    private static final Pattern COMMAND = Pattern.compile("(?:.*/)?elastic-run(?::\\S+)?");
    private static final Pattern AFTER = Pattern.compile("[|&;>#].*");

    static List<HowToPage> all() {
        try (Stream<Path> pages = Files.list(PAGES)) {
            return pages.sorted().map(HowToPage::read).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HowToPage read(Path page) {
        try {
            return new HowToPage(page.getFileName().toString(), Files.readString(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that a test can run, as one script; empty = nothing. */
    String script() {
        return SHELL.matcher(text)
                .results()
                .filter(block -> block.group(1) != null)
                .map(block -> block.group(2))
                .collect(Collectors.joining("\n"));
    }

    /** The arguments of each {@code elastic-run} of the page, but for those that are to be refused. */
    List<List<String>> lines() {
        List<List<String>> lines = new ArrayList<>();
        Matcher block = SHELL.matcher(text);
        while (block.find()) {
            for (String line : block.group(2)
                    .replace("\\\n", " ")
                    .replace("; ", " ; ")
                    .lines()
                    .toList()) {
                List<String> words = WORD.matcher(line)
                        .results()
                        .map(word -> word.group().replaceAll("^([\"'])(.*)\\1$", "$2"))
                        .toList();
                words.stream()
                        .filter(word -> !words.get(0).equals("!"))
                        .filter(word -> COMMAND.matcher(word).matches())
                        .findFirst()
                        .ifPresent(command -> lines.add(words.subList(words.indexOf(command) + 1, words.size()).stream()
                                .takeWhile(word -> !AFTER.matcher(word).matches())
                                .toList()));
            }
        }
        return lines;
    }

    @Override
    public String toString() {
        return name;
    }
}
