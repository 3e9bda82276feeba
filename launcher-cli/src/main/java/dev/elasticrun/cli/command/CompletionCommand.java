/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.HelpPage;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code elastic-run completion}: prints the script that completes the command's words in a shell. */
public final class CompletionCommand {
    private static final String SYNOPSIS = "completion bash|zsh";
    private static final String SHELL = "bash|zsh";
    /** Written by a test from the flags; the same for both shells. */
    public static final HelpPage SCRIPT = new HelpPage("completion.sh");

    static final Subcommand COMMAND =
            new Subcommand("completion", SYNOPSIS, CompletionCommand::model, CompletionCommand::run);

    private CompletionCommand() {}

    private static CommandLine model() {
        CommandSpec spec = CommandSpec.create().name("elastic-run completion");
        spec.addPositional(PositionalParamSpec.builder()
                .index("0")
                .arity("0..1")
                .type(String.class)
                .paramLabel(SHELL)
                .description("The shell.")
                .build());
        spec.addOption(CommandModel.switchOption(CommandModel.HELP, "-h", "--help"));
        spec.usageMessage()
                .customSynopsis("elastic-run " + SYNOPSIS)
                .description("Prints a script by which the shell completes commands, flags and their values."
                        + " For this shell: eval \"$(elastic-run completion bash)\"; for all, put that into"
                        + " ~/.bashrc, or with zsh into ~/.zshrc.")
                .parameterListHeading("%n")
                .optionListHeading("");
        return CommandModel.line(spec);
    }

    private static int run(Invocation call) {
        String shell = Optional.ofNullable(call.arguments().matchedPositionalValue(0, (String) null))
                .orElse("not given");
        if (!shell.equals("bash") && !shell.equals("zsh")) {
            throw UsageException.of("shell", shell, "bash or zsh");
        }
        return Invocation.print(SCRIPT.text(), call.out());
    }
}
