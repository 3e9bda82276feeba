/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.SubmittedLine;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.ssh.Ssh;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** {@code elastic-run ssh}: an agent of a launch line on each host of a file. */
final class SshCommand {
    private static final String SYNOPSIS = "ssh --hosts FILE [--launcher COMMAND] [--directory DIR]"
            + " [--ssh-option OPTION]... [OPTIONS] [--] PROGRAM [ARGS...]";
    private static final String HOSTS = "--hosts";
    private static final String LAUNCHER = "--launcher";
    private static final String DIRECTORY = "--directory";
    private static final String OPTION = "--ssh-option";
    private static final String DEFAULT_LAUNCHER = "elastic-run";

    static final Subcommand COMMAND = new Subcommand("ssh", SYNOPSIS, SshCommand::model, SshCommand::run);

    private SshCommand() {}

    private static CommandLine model() {
        return CommandModel.submit(
                "ssh",
                SYNOPSIS,
                "Starts an agent on each host by OpenSSH's client, with the flags of a launch, and prints what the"
                        + " agents print, each line behind the name of its host. Each agent gets its node rank, and,"
                        + " unless the line has them, a name of the run, as many nodes as hosts, and a store that the"
                        + " first host serves at port 29400. The key of the run goes through the connections. SIGINT,"
                        + " SIGTERM and SIGHUP drain all agents; an agent whose connection is lost leaves the run."
                        + " Nothing is started a second time.",
                List.of("", "SEE ALSO", "  docs/ssh.md in the sources of elastic-run"),
                CommandModel.valueOption(
                        HOSTS,
                        "FILE",
                        "The hosts, one in a line: [USER@]HOST [slots=N], with N workers in place of"
                                + " --nproc-per-node; # begins a comment."),
                CommandModel.valueOption(
                        LAUNCHER, "COMMAND", "The launcher on the hosts. Default: " + DEFAULT_LAUNCHER + "."),
                CommandModel.valueOption(DIRECTORY, "DIR", "Where agents start on the hosts. Default: as here."),
                OptionSpec.builder(OPTION)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .paramLabel("OPTION")
                        .description("An option of OpenSSH's client, as -p2222 or -oUser=me; may be given several"
                                + " times.")
                        .build());
    }

    private static int run(Invocation call) {
        String file = call.value(HOSTS).orElseThrow(() -> UsageException.of(HOSTS, "not given", "a file of hosts"));
        SubmittedLine line = SubmitCommand.line(call);
        line.noEffect().forEach(remark -> call.err().println("elastic-run: " + remark));
        Path directory = Path.of(call.value(DIRECTORY).orElse("")).toAbsolutePath();
        return new Ssh(call.value(LAUNCHER).orElse(DEFAULT_LAUNCHER), directory, call.values(OPTION))
                .run(HOSTS, Path.of(file), line, call.out(), call.err());
    }
}
