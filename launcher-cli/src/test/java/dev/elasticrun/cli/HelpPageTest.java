/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.config.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class HelpPageTest {
    private static final Path RESOURCES = Path.of("src/main/resources/dev/elasticrun/cli");

    @Test
    @Tag("golden")
    void runPage_isWhatPicocliRenders() throws IOException {
        assertPage(HelpPage.RUN, CommandModel.runHelp());
    }

    @Test
    @Tag("golden")
    void pagesOfSubcommands_areWhatPicocliRenders() throws IOException {
        for (Subcommand command : Subcommand.all()) {
            assertPage(HelpPage.of(command), command.model().get());
        }
    }

    @Test
    void runPage_namesEveryFlag() {
        assertThat(Settings.all())
                .allSatisfy(flag -> assertThat(HelpPage.RUN.text()).contains(flag.option()));
    }

    @Test
    void of_helpFirst_needsNoParsing() {
        assertThat(HelpPage.of(List.of("--help"))).contains(HelpPage.RUN);
        assertThat(HelpPage.of(List.of("-h"))).contains(HelpPage.RUN);
        assertThat(HelpPage.of(List.of("status", "--help"))).contains(HelpPage.of(StatusCommand.COMMAND));
        assertThat(HelpPage.of(List.of("logs", "-h"))).contains(HelpPage.of(LogsCommand.COMMAND));
        assertThat(HelpPage.of(List.of("--version"))).contains(HelpPage.VERSION);
    }

    @Test
    void of_helpOfTheProgram_isNotOurs() {
        assertThat(HelpPage.of(List.of("app.jar", "--help"))).isEmpty();
    }

    private static void assertPage(HelpPage page, CommandLine command) throws IOException {
        GoldenFile.assertSame(RESOURCES.resolve(page.resource()), page.resource(), command.getUsageMessage());
    }
}
