/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * All that one renderer can write, in a file among the resources of its test: of each case a title, then the text.
 * {@code -Dgolden.write=true} writes the file from what is rendered instead of comparing them. Not thread-safe.
 */
public final class GoldenFile {
    private static final Path RESOURCES = Path.of("src/test/resources");

    private final Path file;
    private final StringBuilder rendered = new StringBuilder();

    private GoldenFile(Path file) {
        this.file = file;
    }

    /** @param test whose package names the directory */
    public static GoldenFile of(Class<?> test, String name) {
        return new GoldenFile(
                RESOURCES.resolve(test.getPackageName().replace('.', '/')).resolve(name));
    }

    /** Another case: a title of one line, and what is rendered for it. */
    public GoldenFile add(String title, String text) {
        rendered.append(rendered.isEmpty() ? "" : "\n")
                .append("# ")
                .append(title)
                .append('\n');
        rendered.append(text).append(text.endsWith("\n") ? "" : "\n");
        return this;
    }

    /** Compares all cases, in their order, with the file. */
    public void assertSame() throws IOException {
        if (Boolean.getBoolean("golden.write")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, rendered);
        }
        assertThat(rendered).as("%s, see -Dgolden.write=true", file).hasToString(Files.readString(file));
    }
}
