/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.cli.GoldenFile;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.HelpPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class HelpPageTest {
    private static final Path RESOURCES = Path.of("src/main/resources/dev/elasticrun/cli/options");

    @Test
    @Tag("golden")
    void runPage_isWhatPicocliRenders() throws IOException {
        assertPage(
                HelpPage.RUN,
                CommandModel.runHelp(
                        Commands.all().stream().map(Subcommand::synopsis).toList()));
    }

    @Test
    @Tag("golden")
    void pagesOfSubcommands_areWhatPicocliRenders() throws IOException {
        for (Subcommand command : Commands.all()) {
            assertPage(command.page(), command.model().get());
        }
    }

    @Test
    void runPage_namesEveryFlag() {
        assertThat(Settings.all())
                .allSatisfy(flag -> assertThat(HelpPage.RUN.text()).contains(flag.option()));
    }

    @Test
    void of_helpFirst_needsNoParsing() {
        assertThat(Commands.page(List.of("--help"))).contains(HelpPage.RUN);
        assertThat(Commands.page(List.of("-h"))).contains(HelpPage.RUN);
        assertThat(Commands.page(List.of("status", "--help"))).contains(StatusCommand.COMMAND.page());
        assertThat(Commands.page(List.of("logs", "-h"))).contains(LogsCommand.COMMAND.page());
        assertThat(Commands.page(List.of("--version"))).contains(HelpPage.VERSION);
    }

    @Test
    void of_helpOfTheProgram_isNotOurs() {
        assertThat(Commands.page(List.of("app.jar", "--help"))).isEmpty();
    }

    private static void assertPage(HelpPage page, CommandLine command) throws IOException {
        GoldenFile.assertSame(RESOURCES.resolve(page.resource()), page.resource(), command.getUsageMessage());
    }
}
