/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.manual;

import dev.elasticrun.cli.command.Commands;
import dev.elasticrun.cli.command.Subcommand;
import dev.elasticrun.cli.options.CommandModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;

/** Runs in the build only: writes the manual pages of the command and of each of its commands. */
final class ManualPages {
    private ManualPages() {}

    /** @param arguments the directory of the pages, and the version */
    public static void main(String[] arguments) throws IOException {
        Path directory = Files.createDirectories(Path.of(arguments[0]));
        for (Map.Entry<String, String> page : render(arguments[1]).entrySet()) {
            Files.writeString(directory.resolve(page.getKey()), page.getValue());
        }
    }

    /** All pages by the names of their files. */
    static Map<String, String> render(String version) {
        CommandLine first = CommandModel.runHelp(
                Commands.all().stream().map(Subcommand::synopsis).toList());
        List<CommandLine> others =
                Commands.all().stream().map(command -> command.model().get()).toList();
        Map<String, String> pages = new TreeMap<>();
        pages.put(file(first), ManualPage.render(first, version, names(others)));
        others.forEach(command -> pages.put(file(command), ManualPage.render(command, version, names(List.of(first)))));
        return pages;
    }

    private static List<String> names(List<CommandLine> commands) {
        return commands.stream().map(ManualPage::name).toList();
    }

    private static String file(CommandLine command) {
        return ManualPage.name(command) + "." + ManualPage.SECTION;
    }
}
