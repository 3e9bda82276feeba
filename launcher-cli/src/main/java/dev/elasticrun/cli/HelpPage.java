/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A page that is shown without loading anything else: picocli rendered it when the sources were written.
 *
 * @param resource empty: the version
 */
record HelpPage(String resource) {
    static final HelpPage RUN = new HelpPage("help.txt");
    static final HelpPage VERSION = new HelpPage("");

    static HelpPage of(Subcommand command) {
        return new HelpPage("help-" + command.name() + ".txt");
    }

    /** The page that the arguments ask for in the simplest way; other ways are found when they are parsed. */
    static Optional<HelpPage> of(List<String> arguments) {
        String first = arguments.isEmpty() ? "" : arguments.get(0);
        String second = arguments.size() < 2 ? "" : arguments.get(1);
        if (first.equals("help") && !second.isEmpty()) {
            return Optional.of(Subcommand.named(second).map(HelpPage::of).orElse(RUN));
        }
        if (isHelp(first) || first.equals("help")) {
            return Optional.of(RUN);
        }
        if (first.equals("--version") || first.equals("version")) {
            return Optional.of(VERSION);
        }
        return isHelp(second) ? Subcommand.named(first).map(HelpPage::of) : Optional.empty();
    }

    private static boolean isHelp(String argument) {
        return argument.equals("-h") || argument.equals("--help");
    }

    String text() {
        return equals(VERSION) ? version() : read();
    }

    private static String version() {
        String version = HelpPage.class.getPackage().getImplementationVersion();
        return "elastic-run " + (version == null ? "(not packaged)" : version) + " on Java "
                + Runtime.version().feature() + System.lineSeparator();
    }

    private String read() {
        try (InputStream page = HelpPage.class.getResourceAsStream(resource)) {
            if (page == null) {
                throw new IllegalStateException("resource " + resource + " is missing");
            }
            return new String(page.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource, e);
        }
    }
}
