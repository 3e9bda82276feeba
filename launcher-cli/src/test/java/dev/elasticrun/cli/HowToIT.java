/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the pages of docs/howto mark as run is run, word for word, in a directory with the program that they show. */
@Tag("once")
@Timeout(120)
final class HowToIT {
    private static final Pattern PROGRAM =
            Pattern.compile("```java\\n(.*?public final class (\\w+).*?)\\n```", Pattern.DOTALL);
    private static final Pattern PRINTED = Pattern.compile("prints `([^`]+)`");

    @TempDir
    private Path directory;

    static List<HowToPage> pages() {
        return HowToPage.all().stream().filter(page -> !page.script().isEmpty()).toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void commands_run(HowToPage page) throws Exception {
        Path commands = Files.createDirectory(directory.resolve("bin"));
        Path command =
                Files.writeString(commands.resolve("elastic-run"), "#!/bin/sh\nexec '" + Script.path() + "' \"$@\"\n");
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
        new JarOutputStream(Files.newOutputStream(directory.resolve("app.jar"))).close();
        Matcher program = PROGRAM.matcher(page.text());
        if (program.find()) {
            Files.writeString(directory.resolve(program.group(2) + ".java"), program.group(1));
        }
        String path = commands + ":" + Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH");

        try (Script script = Script.of(
                directory,
                List.of(
                        "env",
                        "PATH=" + path,
                        "API=" + api(),
                        "TMPDIR=" + directory,
                        "sh",
                        "-eu",
                        "-c",
                        page.script()))) {
            assertThat(script.exitCode()).as(script.out() + script.err()).isZero();
            assertThat(PRINTED.matcher(page.text()).results().map(printed -> printed.group(1)))
                    .allSatisfy(printed -> assertThat(script.out()).contains(printed));
            if (page.script().contains("kill -9")) {
                assertThat(script.out()).contains("incident 2", "SIGKILL");
            }
        }
    }

    private static Path api() throws IOException {
        try (Stream<Path> built = Files.list(Path.of("../worker-api/target").toRealPath())) {
            return built.filter(file -> file.getFileName().toString().matches("elastic-run-worker-api-[0-9.]+\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
