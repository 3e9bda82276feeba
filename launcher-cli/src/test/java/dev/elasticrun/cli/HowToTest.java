/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.elasticrun.cli.command.Commands;
import dev.elasticrun.cli.command.Subcommand;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.LaunchOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages of docs/howto: flags that there are, with values that they take, and messages that the sources have. */
@Tag("once")
final class HowToTest {
    private static final Pattern MESSAGE = Pattern.compile("(?m)^\\| `([^`]+)` \\| (?!of the JVM)");
    private static final Pattern BETWEEN = Pattern.compile("\\.\\.\\.|\\(expected:|: |[();]");
    private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final int SHORT = 5;
    private static final Pattern FLAG = Pattern.compile("--[a-z][a-z-]+");
    /** Of podman, jar, iptables, systemctl and a program. */
    private static final Set<String> FOREIGN = Set.of(
            "--read-only",
            "--tmpfs",
            "--shm-size",
            "--network",
            "--time",
            "--create",
            "--file",
            "--reject-with",
            "--now",
            "--data");
    /** Their values are files of another machine. */
    private static final List<String> FILES = List.of("--log-dir", "--run-key-file", "--class-path");

    static List<HowToPage> pages() {
        return HowToPage.all();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void lines_haveFlagsThatThereAre(HowToPage page) {
        for (List<String> line : page.lines()) {
            assertThatCode(() -> check(line)).as(page + ": " + line).doesNotThrowAnyException();
        }
    }

    private static void check(List<String> line) {
        Optional<Subcommand> command = line.stream().findFirst().flatMap(Commands::named);
        if (command.isPresent()) {
            CommandModel.parse(command.get().model().get(), line.subList(1, line.size()));
            return;
        }
        List<String> arguments = new ArrayList<>(List.of("--print-config"));
        for (int i = 0; i < line.size() && !line.get(i).endsWith(".jar"); i++) {
            if (FILES.contains(line.get(i))) {
                i++;
            } else {
                arguments.add(line.get(i));
            }
        }
        LaunchOptions.parse(arguments, Map.of());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void flags_thatAreNamed_exist(HowToPage page) {
        Set<String> known = Stream.concat(
                        Stream.of(CommandModel.run()),
                        Commands.all().stream().map(command -> command.model().get()))
                .flatMap(command -> command.getCommandSpec().optionsMap().keySet().stream())
                .collect(Collectors.toSet());

        assertThat(FLAG.matcher(page.text()).results().map(flag -> flag.group()))
                .filteredOn(flag -> !FOREIGN.contains(flag))
                .allMatch(known::contains);
    }

    @Test
    void messages_areThoseOfTheSources() throws IOException {
        String sources = sources();
        List<String> messages = HowToPage.all().stream()
                .filter(page -> page.name().equals("troubleshooting.md"))
                .flatMap(page -> MESSAGE.matcher(page.text()).results())
                .map(message -> message.group(1))
                .toList();

        assertThat(messages).hasSizeGreaterThan(20);
        for (String message : messages) {
            List<String> parts = BETWEEN.splitAsStream(message)
                    .map(String::strip)
                    .filter(part -> part.length() > SHORT)
                    .toList();
            assertThat(parts).as(message).isNotEmpty().allMatch(sources::contains);
        }
    }

    /** All literals of the main sources, with those that are put together. */
    private static String sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(".."))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/main/"))
                    .map(HowToTest::text)
                    .collect(Collectors.joining("\n"));
        }
    }

    private static String text(Path file) {
        try {
            return CONCATENATION.matcher(Files.readString(file)).replaceAll("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
