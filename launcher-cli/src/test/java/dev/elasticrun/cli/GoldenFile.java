/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Text that a test expects, in a file beside it. {@code -Dgolden.write=true} writes what there is instead. */
public final class GoldenFile {
    private static final Path TESTS = Path.of("src/test/resources/dev/elasticrun/cli");

    private GoldenFile() {}

    public static void assertSame(String name, String text) throws IOException {
        assertSame(TESTS.resolve(name), name, text);
    }

    public static void assertSame(Path file, String name, String text) throws IOException {
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(file, text);
        }
        assertThat(Files.readString(file))
                .as("%s, see -Dgolden.write=true", name)
                .isEqualTo(text);
    }
}
