/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import java.util.List;
import java.util.Optional;

/** {@code elastic-run completion}: prints the script that completes the command's words in a shell. */
final class CompletionCommand {
    private static final String SYNOPSIS = "completion bash|zsh";
    private static final String SHELL = "bash|zsh";
    /** Written by a test from the flags; the same for both shells. */
    static final HelpPage SCRIPT = new HelpPage("completion.sh");

    static final Subcommand COMMAND =
            new Subcommand("completion", SYNOPSIS, CompletionCommand::model, CompletionCommand::run);

    private CompletionCommand() {}

    private static CommandForm model() {
        return new CommandForm(
                "completion",
                SYNOPSIS,
                "Prints a script by which the shell completes commands, flags and their values."
                        + " For this shell: eval \"$(elastic-run completion bash)\"; for all, put that into"
                        + " ~/.bashrc, or with zsh into ~/.zshrc.",
                Optional.of(new CommandForm.Argument(SHELL, "The shell.", false)),
                List.of(CommandModel.HELP_OPTION),
                List.of());
    }

    private static int run(Subcommand.Call call) {
        String shell = call.argument().orElse("not given");
        if (!shell.equals("bash") && !shell.equals("zsh")) {
            throw UsageException.of("shell", shell, "bash or zsh");
        }
        return Main.show(SCRIPT.text(), call.out());
    }
}
