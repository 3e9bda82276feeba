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
    private static final String SYNOPSIS = "completion bash|zsh|fish";
    private static final String SHELL = "bash|zsh|fish";
    /** Written by a test from the flags; the same for bash and zsh. */
    public static final HelpPage SCRIPT = new HelpPage("completion.sh");
    /** The same for fish. */
    public static final HelpPage FISH_SCRIPT = new HelpPage("completion.fish");

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
                        + " ~/.bashrc, or with zsh into ~/.zshrc. With fish: elastic-run completion fish | source.")
                .parameterListHeading("%n")
                .optionListHeading("");
        return CommandModel.line(spec);
    }

    private static int run(Invocation call) {
        String shell = Optional.ofNullable(call.arguments().matchedPositionalValue(0, (String) null))
                .orElse("not given");
        HelpPage script =
                switch (shell) {
                    case "bash", "zsh" -> SCRIPT;
                    case "fish" -> FISH_SCRIPT;
                    default -> throw UsageException.of("shell", shell, "bash, zsh or fish");
                };
        return Invocation.print(script.text(), call.out());
    }
}
