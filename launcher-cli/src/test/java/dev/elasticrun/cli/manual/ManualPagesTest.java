/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.cli.command.Commands;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ManualPagesTest {
    private static final Map<String, String> PAGES = ManualPages.render("1.2.3");

    @Test
    void render_hasAPageOfEachCommand() {
        assertThat(PAGES)
                .containsKey("elastic-run.1")
                .hasSize(1 + Commands.all().size());
        Commands.names().forEach(name -> assertThat(PAGES).containsKey("elastic-run-" + name + ".1"));
    }

    @Test
    void pageOfTheLaunch_namesEveryFlagOfTheHelp() {
        String page = PAGES.getOrDefault("elastic-run.1", "");

        assertThat(Settings.all()).allSatisfy(flag -> assertThat(page)
                .contains("\\fB" + flag.option().replace("-", "\\-") + "\\fR"));
        assertThat(page)
                .startsWith(".TH \"ELASTIC\\-RUN\" 1 \"\" \"elastic\\-run 1.2.3\"")
                .contains("elastic\\-run \\- run distributed JVM jobs")
                .contains(".SH EXIT CODES\n.nf\n")
                .contains(".BR elastic\\-run\\-status (1)")
                .doesNotContain("%%");
    }

    @Test
    void pageOfACommand_hasItsSummaryAndLeadsBack() {
        assertThat(PAGES.getOrDefault("elastic-run-list.1", ""))
                .contains(".SH NAME\nelastic\\-run\\-list \\- lists runs that have an agent of yours on this host, ")
                .contains(".TP\n\\fISCHEME://\\fR\n")
                .contains(".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\n")
                .endsWith(".SH SEE ALSO\n.BR elastic\\-run (1)\n");
    }

    @Test
    void lines_areNotRequestsByChance() {
        assertThat(PAGES.values())
                .flatMap(page -> page.lines()
                        .filter(line -> line.startsWith("."))
                        .map(line -> line.split(" ", 2)[0])
                        .toList())
                .containsOnly(".TH", ".SH", ".SS", ".TP", ".PP", ".BR", ".nf", ".fi");
    }
}
