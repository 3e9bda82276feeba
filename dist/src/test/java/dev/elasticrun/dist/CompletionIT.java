/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.rendezvous.store.FetchedPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The completions of the archive, in real shells that load them as the system does. */
@Timeout(180)
final class CompletionIT {
    private static Path directory;
    private static Path share;
    private static Path fish;

    @BeforeAll
    static void unpack() throws IOException, InterruptedException {
        directory = Files.createTempDirectory("completion-");
        share = Product.unpack(Product.archive(), directory).home().resolve("share");
        fish = FetchedPrograms.directory("fish", List.of("fish"), List.of("fish"))
                .resolve("fish");
    }

    @AfterAll
    static void remove() throws IOException, InterruptedException {
        Product.delete(directory);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            value = {
                "elastic-run st                   => status stop",
                "elastic-run --bind-t             => --bind-to",
                "elastic-run --restart-policy so  => soft soft-elastic soft-replace",
                "elastic-run status --js          => --json",
                "elastic-run status --nno         => ''",
                "elastic-run submit --dry         => --dry-run",
            })
    void fish_completesWords(String line, String expected) throws Exception {
        String script = "source '" + share.resolve("fish/vendor_completions.d/elastic-run.fish") + "'; complete -C '"
                + line + "' | string replace -r '\\t.*' ''; true";

        assertThat(output("env", "HOME=" + directory, fish.toString(), "--no-config", "-c", script)
                        .lines())
                .containsExactlyInAnyOrderElementsOf(expected.isEmpty() ? List.of() : List.of(expected.split(" ")));
    }

    @Test
    void bash_findsTheFunctionOfTheCommand() throws Exception {
        String script = ". '" + share.resolve("bash-completion/completions/elastic-run") + "'; complete -p elastic-run";

        assertThat(output("bash", "-c", script)).contains("-F _elastic_run elastic-run");
    }

    /** What {@code compinit} of zsh looks for in a file. */
    @Test
    void zsh_receivesWhichCommandTheFileIsOf() throws IOException {
        List<String> lines = Files.readAllLines(share.resolve("zsh/site-functions/_elastic-run"));

        assertThat(lines).first().isEqualTo("#compdef elastic-run");
        assertThat(lines).last().isEqualTo("_bash_complete -o filenames -F _elastic_run");
        assertThat(lines).noneMatch(line -> line.contains("ZSH_VERSION"));
    }

    private static String output(String... command) throws Exception {
        try (UserProcess process = UserProcess.of(directory, List.of(command))) {
            assertThat(process.exitCode()).as(process.err()).isZero();
            return process.out();
        }
    }
}
