/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Pages that are shown without loading anything else: picocli rendered them when the sources were written. */
enum HelpPage {
    RUN("help.txt"),
    STATUS("help-status.txt"),
    LOGS("help-logs.txt"),
    VERSION("");

    private final String resource;

    HelpPage(String resource) {
        this.resource = resource;
    }

    /** The page that the arguments ask for in the simplest way; other ways are found when they are parsed. */
    static Optional<HelpPage> of(List<String> arguments) {
        String command = arguments.stream().findFirst().orElse("");
        HelpPage page =
                switch (command) {
                    case StatusCommand.NAME -> STATUS;
                    case LogsCommand.NAME -> LOGS;
                    default -> RUN;
                };
        String first = arguments.stream().skip(page == RUN ? 0 : 1).findFirst().orElse("");
        return switch (first) {
            case "-h", "--help" -> Optional.of(page);
            case "--version" -> page == RUN ? Optional.of(VERSION) : Optional.empty();
            default -> Optional.empty();
        };
    }

    String resource() {
        return resource;
    }

    String text() {
        return this == VERSION ? version() : read();
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
