/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A page that is shown without loading anything else: picocli rendered it when the sources were written.
 *
 * @param resource empty: the version
 */
public record HelpPage(String resource) {
    public static final HelpPage RUN = new HelpPage("help.txt");
    public static final HelpPage VERSION = new HelpPage("");

    public String text() {
        return equals(VERSION) ? version() : read();
    }

    private static String version() {
        return "elastic-run " + Objects.requireNonNullElse(BuildStamp.ofThisCommand(), "(not packaged)") + " on Java "
                + Runtime.version() + System.lineSeparator();
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
