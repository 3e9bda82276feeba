/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.LaunchOptions;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.scheduler.ShellWords;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code elastic-run migrate}: prints a torchrun line as it is understood here, and starts nothing. */
final class MigrateCommand {
    private static final String SYNOPSIS = "migrate TORCHRUN-LINE...";
    private static final Pattern ASSIGNMENT = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)=(.*)", Pattern.DOTALL);
    private static final Pattern INTERPRETER = Pattern.compile("python[0-9.]*");
    private static final String UNBUFFERED = "-u";
    private static final List<String> MODULES = List.of("torch.distributed.run", "torch.distributed.launch");

    static final Subcommand COMMAND = new Subcommand("migrate", SYNOPSIS, MigrateCommand::model, MigrateCommand::run);

    private MigrateCommand() {}

    private static CommandLine model() {
        CommandSpec spec = CommandSpec.create().name("elastic-run migrate");
        spec.addPositional(PositionalParamSpec.builder()
                .index("0..*")
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel("TORCHRUN-LINE...")
                .hideParamSyntax(true)
                .description(
                        "The line as it is typed: variables, torchrun or python -m torch.distributed.run, its flags,"
                                + " the program and its arguments.")
                .build());
        spec.addOption(CommandModel.switchOption(CommandModel.HELP, "-h", "--help"));
        spec.usageMessage()
                .customSynopsis("elastic-run " + SYNOPSIS)
                .description("Prints the line of elastic-run that a line of torchrun stands for, and, as comments, what"
                        + " has another name or no effect here. Starts nothing. The same flags, and variables that begin"
                        + " with PET_, can also be given to elastic-run as they are.")
                .parameterListHeading("%n")
                .optionListHeading("");
        return CommandModel.line(spec);
    }

    private static int run(Invocation call) {
        List<String> words = call.arguments().matchedPositionalValue(0, List.<String>of());
        Map<String, String> variables = new TreeMap<>();
        int first = 0;
        while (first < words.size() && ASSIGNMENT.matcher(words.get(first)).matches()) {
            String[] sides = words.get(first).split("=", 2);
            variables.put(sides[0], sides[1]);
            first++;
        }
        LaunchOptions.Migrated migrated =
                LaunchOptions.migrate(withoutLauncher(words.subList(first, words.size())), variables);
        StringBuilder text = new StringBuilder();
        variables.forEach((name, value) -> {
            if (!name.startsWith("PET_")) {
                text.append(name).append('=').append(ShellWords.quoted(value)).append(' ');
            }
        });
        text.append("elastic-run");
        migrated.arguments().forEach(argument -> text.append(' ').append(ShellWords.quoted(argument)));
        text.append('\n');
        migrated.remarks().forEach(remark -> text.append("# ").append(remark).append('\n'));
        return Invocation.print(text.toString(), call.out());
    }

    private static List<String> withoutLauncher(List<String> words) {
        String launcher = words.isEmpty() ? "" : name(words.get(0));
        if (launcher.equals("torchrun")) {
            return words.subList(1, words.size());
        }
        if (INTERPRETER.matcher(launcher).matches()) {
            int at = words.size() > 1 && words.get(1).equals(UNBUFFERED) ? 2 : 1;
            if (words.size() > at + 1 && words.get(at).equals("-m") && MODULES.contains(words.get(at + 1))) {
                return words.subList(at + 2, words.size());
            }
        }
        throw UsageException.of(
                "TORCHRUN-LINE",
                words.isEmpty() ? "missing" : "'" + words.get(0) + "'",
                "torchrun or python -m torch.distributed.run, after variables if there are any");
    }

    private static String name(String program) {
        Path file = Path.of(program).getFileName();
        return file == null ? program : file.toString();
    }
}
