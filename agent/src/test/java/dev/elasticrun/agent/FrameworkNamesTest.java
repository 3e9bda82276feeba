/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What knows a framework is in a module of {@code integrations}, behind the SPI: nothing of the agent names one, but the
 * help of a flag, which names what the command brings.
 */
@Tag("once")
final class FrameworkNamesTest {
    private static final Path MAIN = Path.of("src/main");
    private static final Path INTEGRATIONS = Path.of("../integrations");
    private static final String RUNTIME = "-runtime";
    private static final Path HELP = Path.of("config", "Settings.java");

    @Test
    void sources_andResources_nameNoFramework() throws IOException {
        List<String> frameworks;
        try (Stream<Path> modules = Files.list(INTEGRATIONS)) {
            frameworks = modules.map(module -> module.getFileName().toString())
                    .filter(name -> name.endsWith(RUNTIME))
                    .map(name -> name.substring(0, name.length() - RUNTIME.length()))
                    .toList();
        }
        assertThat(frameworks).contains("xgboost");

        try (Stream<Path> files = Files.walk(MAIN)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith(HELP))
                    .toList()) {
                String text =
                        Files.readString(file, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
                assertThat(frameworks).as(file.toString()).noneMatch(text::contains);
            }
        }
    }
}
