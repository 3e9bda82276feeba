/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.cli.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --print-config}, whose output is a file for {@code --config}. */
@Tag("once")
final class ConfigViewTest {
    private static final String PROGRAM = "/bin/true";
    private static final List<String> ODD = List.of(
            "",
            " ",
            "a b",
            "null",
            "~",
            "true",
            "- x",
            "#",
            "a #b",
            "a: b",
            "a:",
            "[",
            "{",
            "\"",
            "'",
            "\\",
            "%",
            "@",
            "\u00fc",
            "\n",
            "\t",
            "\u2028",
            "\uD83D\uDE00",
            "2:4",
            "1e3",
            "0x10",
            "*a",
            "&a",
            "!t",
            "|",
            ">",
            "?",
            "=");

    @TempDir
    private Path directory;

    @Test
    @Tag("golden")
    void sources_areNamed_andAligned() throws IOException {
        Path file = Files.writeString(directory.resolve("run.yaml"), "\nmax-restarts: 7\n");
        String printed = print(
                        List.of(
                                "--config",
                                file.toString(),
                                "--log-dir=/tmp",
                                "--java=/bin/sh",
                                "--nnodes",
                                "1:2",
                                "--run-id=r1",
                                "--env=A=b c",
                                "--env=API_TOKEN=hidden",
                                "--",
                                "/bin/echo",
                                "--x",
                                "y z"),
                        Map.of("PET_NPROC_PER_NODE", "3"))
                .replace(directory.toString(), "/dir");
        GoldenFile.assertSame("print-config.txt", printed);
        assertThat(printed).doesNotContain("hidden");
    }

    @Test
    void withoutProgram_itIsStillPrinted() {
        assertThat(print(List.of("--log-dir=/tmp", "--nproc-per-node=2"), Map.of()))
                .contains("# program: not given")
                .contains("nproc-per-node: 2");
    }

    @Test
    void everyValue_isTheSameWhenItIsReadAgain() throws IOException {
        Function<Setting<?>, String> other = OtherValues.in(directory);
        List<String> arguments = new ArrayList<>();
        for (Setting<?> flag : Settings.all()) {
            if (!OtherValues.INSTEAD_OF_ANOTHER.contains(flag.name())) {
                arguments.add(flag.kind().takesValue() ? flag.option() + "=" + other.apply(flag) : flag.option());
            }
        }
        arguments.removeAll(List.of("--standalone", "--insecure", "--no-python"));
        arguments.addAll(List.of("--", PROGRAM, "a"));
        assertSameWhenReadAgain(arguments);
    }

    @Test
    void eachFlagAlone_isTheSameWhenItIsReadAgain() throws IOException {
        Function<Setting<?>, String> other = OtherValues.in(directory);
        for (Setting<?> flag : Settings.all()) {
            List<String> arguments = new ArrayList<>(OtherValues.neededBy(flag, directory));
            arguments.add(flag.kind().takesValue() ? flag.option() + "=" + other.apply(flag) : flag.option());
            arguments.addAll(List.of("--", PROGRAM));
            assertSameWhenReadAgain(arguments);
        }
    }

    @Test
    void oddTexts_areTheSameWhenTheyAreReadAgain() throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < 15; i++) {
            List<String> texts =
                    random.ints(5, 0, ODD.size()).mapToObj(ODD::get).collect(Collectors.toList());
            List<String> arguments = new ArrayList<>(List.of(
                    "--role=r" + texts.get(0) + texts.get(1),
                    "--env=A=" + texts.get(2),
                    "--env=B" + texts.get(3) + "=" + texts.get(4),
                    "--java-opts=" + Settings.JAVA_OPTS.kind().print(texts).get(0),
                    "--",
                    PROGRAM));
            arguments.addAll(texts);
            assertSameWhenReadAgain(arguments);
        }
    }

    private void assertSameWhenReadAgain(List<String> arguments) throws IOException {
        LaunchConfig config = LaunchOptions.parse(arguments, Map.of()).config().orElseThrow();
        Path file = Files.writeString(directory.resolve("again.yaml"), print(arguments, Map.of()));
        LaunchConfig again = LaunchOptions.parse(List.of("--config=" + file), Map.of())
                .config()
                .orElseThrow();
        assertThat(LaunchOptions.arguments(again)).isEqualTo(LaunchOptions.arguments(config));
        assertThat(withoutSources(print(List.of("--config=" + file), Map.of())))
                .isEqualTo(withoutSources(Files.readString(file)));
    }

    private static List<String> withoutSources(String printed) {
        return printed.lines()
                .map(line -> line.replaceFirst(" +# (file|flag|default|command line|variable).*", ""))
                .toList();
    }

    private static String print(List<String> arguments, Map<String, String> environment) {
        List<String> all = new ArrayList<>(List.of("--print-config"));
        all.addAll(arguments);
        return LaunchOptions.parse(all, environment).printed().orElseThrow();
    }
}
