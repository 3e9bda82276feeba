/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.cli.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script of {@code elastic-run completion}, in a real bash. */
@Timeout(60)
@Tag("once")
final class CompletionTest {
    private static final Path RESOURCE = Path.of("src/main/resources/dev/elasticrun/cli/options/completion.sh");
    private static final Path FISH_RESOURCE = RESOURCE.resolveSibling("completion.fish");

    @TempDir
    private Path directory;

    @Test
    @Tag("golden")
    void script_isWrittenFromTheCommands() throws IOException {
        GoldenFile.assertSame(RESOURCE, "completion.sh", CompletionScript.render());
    }

    @Test
    @Tag("golden")
    void fishScript_isWrittenFromTheCommands() throws IOException {
        GoldenFile.assertSame(FISH_RESOURCE, "completion.fish", FishScript.render());
    }

    /** A line ends where the cursor is; words are as bash takes them apart. */
    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "'st'                                   => status stop",
                "'--nno'                                => --nnodes",
                "'--standalone --bind-t'                   => --bind-to",
                "'--bind-to '                           => core none numa",
                "'--bind-to = c'                        => core",
                "'--bind_to c'                          => core",
                "'--nproc-per-node 2 --on-state-loss r' => restart",
                "'--restart-policy so'                  => soft soft-elastic soft-replace",
                "'--rdzv-endpoint a : 1 --verb'         => --verbose",
                "'--rdzv-endpoint = a : 1 a'            => app.jar apps",
                "'--nnodes '                            => ''",
                "'a'                                    => agent app.jar apps",
                "'--standalone a'                       => app.jar apps",
                "'-- a'                                 => app.jar apps",
                "'--config r'                           => run.yaml",
                "'--log-dir a'                          => apps",
                "'app.jar --nno'                        => ''",
                "'app.jar st'                           => ''",
                "'--run-id status --js'                 => ''",
                "'--standalone status --js'             => ''",
                "'status --js'                          => --json",
                "'status --nno'                         => ''",
                "'logs --run-id x --fol'                => --follow",
                "'logs a'                               => ''",
                "'with'                                 => 'with space'",
            })
    void words_areCompleted(String line, String expected) throws Exception {
        Files.createFile(directory.resolve("app.jar"));
        Files.createFile(directory.resolve("run.yaml"));
        Files.createFile(directory.resolve("with space"));
        Files.createDirectory(directory.resolve("apps"));
        List<String> words = new ArrayList<>(List.of("elastic-run"));
        words.addAll(Arrays.asList(line.split(" ", -1)));
        assertThat(complete(words)).isEqualTo(expected);
    }

    @Test
    void runs_areCompleted_whereACommandLooksForOne() throws Exception {
        Path command = Files.writeString(directory.resolve("elastic-run"), """
                        #!/bin/sh
                        [ "$1" = list ] || exit 1
                        printf 'RUN STATE\\ndemo working\\n'
                        [ "${2:-}" != --all ] || printf 'done succeeded\\n'
                        """);
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));

        assertThat(complete(List.of("./elastic-run", "explain", "--run-id", "d")))
                .isEqualTo("demo done");
        assertThat(complete(List.of("./elastic-run", "stop", "--run-id", "d"))).isEqualTo("demo");
        assertThat(complete(List.of("./elastic-run", "--run-id", "d"))).isEmpty();
    }

    @Test
    void everyFlag_isOffered() throws Exception {
        assertThat(complete(List.of("elastic-run", "--")).split(" "))
                .containsAll(Settings.all().stream().map(Setting::option).toList())
                .contains("--config", "--print-config", "--help")
                .noneMatch(word -> word.contains("_"));
    }

    private String complete(List<String> words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-uc",
                ". \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _elastic_run;"
                        + " printf '%s\\n' \"${COMPREPLY[@]}\"",
                "bash",
                RESOURCE.toAbsolutePath().toString()));
        command.addAll(words);
        Path output = directory.resolve("output");
        Process bash = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(bash.waitFor(20, TimeUnit.SECONDS)).isTrue();
        String text =
                String.join(" ", Files.readAllLines(output).stream().sorted().toList());
        assertThat(bash.exitValue()).as(text).isZero();
        return text;
    }
}
