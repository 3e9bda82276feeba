/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Renders the pages of help from the forms of the commands. */
final class CommandPages {
    private static final int WIDTH = 100;

    private CommandPages() {}

    /** Of the launch: one spelling of each flag, in groups. */
    static String run() {
        CommandForm form = CommandModel.run();
        CommandSpec spec = CommandSpec.create().name(form.name());
        for (Flags.Group group : Flags.GROUPS) {
            ArgGroupSpec.Builder section = ArgGroupSpec.builder()
                    .heading("%n" + group.title() + ":%n")
                    .validate(false)
                    .exclusive(false)
                    .order(Flags.GROUPS.indexOf(group));
            group.flags().forEach(flag -> section.addArg(option(CommandModel.option(flag))));
            spec.addArgGroup(section.build());
        }
        CommandModel.general().forEach(option -> spec.addOption(option(option)));
        form.argument().ifPresent(argument -> spec.addPositional(positional(argument)));
        spec.usageMessage()
                .headerHeading("NAME%n")
                .header(HelpText.NAME)
                .customSynopsis(Stream.concat(
                                Stream.of("  elastic-run " + form.synopsis()),
                                Subcommand.ALL.stream().map(command -> "  elastic-run " + command.synopsis()))
                        .toArray(String[]::new))
                .descriptionHeading("%nDESCRIPTION%n")
                .description(HelpText.DESCRIPTION)
                .parameterListHeading("%nOPTIONS%n%n")
                .optionListHeading("%nGeneral:%n")
                .footer(HelpText.footer());
        return render(spec, "%nSYNOPSIS%n");
    }

    /** Of a command beside the launch. */
    static String of(CommandForm form) {
        CommandSpec spec = CommandSpec.create().name("elastic-run " + form.name());
        form.options().forEach(option -> spec.addOption(option(option)));
        if (form.asksAgents()) {
            ArgGroupSpec.Builder remote = ArgGroupSpec.builder()
                    .heading("%nOf a run on other hosts:%n")
                    .validate(false)
                    .exclusive(false);
            form.remoteOptions().forEach(option -> remote.addArg(option(option)));
            spec.addArgGroup(remote.build());
        }
        form.argument().ifPresent(argument -> spec.addPositional(positional(argument)));
        spec.usageMessage()
                .customSynopsis("elastic-run " + form.synopsis())
                .description(form.description())
                .optionListHeading("%n");
        return render(spec, "Usage: ");
    }

    private static String render(CommandSpec spec, String synopsisHeading) {
        CommandLine line = new CommandLine(spec);
        line.setColorScheme(new CommandLine.Help.ColorScheme.Builder(CommandLine.Help.Ansi.OFF).build());
        spec.usageMessage()
                .width(WIDTH)
                .sortOptions(false)
                .abbreviateSynopsis(true)
                .synopsisHeading(synopsisHeading);
        return line.getUsageMessage();
    }

    private static OptionSpec option(OptionForm form) {
        List<String> names =
                form.names().stream().filter(name -> !name.contains("_")).toList();
        OptionSpec.Builder option = OptionSpec.builder(names.toArray(String[]::new))
                .description(form.description().replace("%", "%%").replace("${", "$${"));
        return form.takesValue()
                ? option.type(String.class)
                        .arity(form.needsValue() ? "1" : "0..1")
                        .paramLabel(form.label())
                        .build()
                : option.type(Boolean.class).arity("0").build();
    }

    private static PositionalParamSpec positional(CommandForm.Argument argument) {
        return PositionalParamSpec.builder()
                .index("0..*")
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel(argument.label())
                .hideParamSyntax(true)
                .description(argument.description())
                .build();
    }
}
