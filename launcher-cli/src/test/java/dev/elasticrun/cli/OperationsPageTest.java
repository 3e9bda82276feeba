/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.command.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tables of pages in {@code docs/operations} are written from the sources with {@code -Dgolden.write=true}. */
final class OperationsPageTest {
    private static final Path PAGES = Path.of("../docs/operations");

    @Test
    @Tag("golden")
    void commands_areThoseOfTheSources() throws IOException {
        List<String> lines = new ArrayList<>(List.of("", "```", "elastic-run [OPTIONS] [--] PROGRAM [ARGS...]"));
        Commands.all().forEach(command -> lines.add("elastic-run " + command.synopsis()));
        lines.addAll(List.of("elastic-run help [COMMAND]", "elastic-run version", "```", ""));
        assertSection("commands.md", "commands", lines);
    }

    @Test
    @Tag("golden")
    void flags_areThoseOfTheSources() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Settings.Group group : Settings.GROUPS) {
            lines.addAll(List.of("", "| " + group.title() + " | default | variables | |", "|---|---|---|---|"));
            group.settings().forEach(setting -> lines.add(row(setting)));
        }
        lines.add("");
        assertSection("flags.md", "flags", lines);
    }

    @Test
    @Tag("golden")
    void exitCodes_areThoseOfTheSources() throws IOException {
        List<String> lines = new ArrayList<>(List.of("", "| code | meaning |", "|---|---|"));
        for (ExitCode code : ExitCode.values()) {
            lines.add("| " + code.code() + " | " + code.meaning() + " |");
        }
        lines.add("");
        assertSection("exit-codes.md", "exit codes", lines);
    }

    private static String row(Setting<?> flag) {
        String value = flag.kind().takesValue() ? " " + flag.kind().label().replace("|", "\\|") : "";
        String alias =
                flag.aliases().own().isEmpty() ? "" : ", `--" + flag.aliases().own() + "`";
        String fallback =
                flag.fallback().text().isEmpty() ? "" : "`" + flag.fallback().text() + "`";
        String variables = String.join(
                ", ", flag.variables().stream().map(name -> "`" + name + "`").toList());
        return "| `" + flag.option() + value + "`" + alias + " | " + fallback + " | " + variables + " | " + flag.help()
                + " |";
    }

    private static void assertSection(String file, String name, List<String> expected) throws IOException {
        List<String> page = Files.readAllLines(PAGES.resolve(file));
        int begin = page.indexOf("<!-- " + name + ": written by a test from the sources -->") + 1;
        int end = page.indexOf("<!-- end of " + name + " -->");
        assertThat(begin).isPositive();
        assertThat(end).isGreaterThanOrEqualTo(begin);
        if (Boolean.getBoolean("golden.write")) {
            List<String> written = new ArrayList<>(page.subList(0, begin));
            written.addAll(expected);
            written.addAll(page.subList(end, page.size()));
            Files.write(PAGES.resolve(file), written);
        } else {
            assertThat(page.subList(begin, end))
                    .as(file + ", see -Dgolden.write=true")
                    .isEqualTo(expected);
        }
    }
}
