/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.ExitCode;
import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.StatusRequest;
import io.grpc.StatusRuntimeException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine;

/** {@code elastic-run status}: asks an agent of this host about the whole run. */
final class StatusCommand {
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final int DEFAULT_WIDTH = 120;
    private static final String EXPECTED =
            "a run that has an agent of yours on this host; looked below /dev/shm, $TMPDIR and /tmp";
    private static final String SYNOPSIS = "status [--run-id NAME] [--json]";

    static final Subcommand COMMAND = new Subcommand("status", SYNOPSIS, StatusCommand::model, StatusCommand::run);

    private StatusCommand() {}

    private static CommandLine model() {
        return CommandModel.subcommand(
                "status",
                SYNOPSIS,
                "Asks an agent of yours on this host about the whole run: its nodes, workers and round.",
                CommandModel.switchOption("Print JSON.", "--json"));
    }

    private static int run(Subcommand.Call call) {
        boolean json = call.has("--json");
        Optional<String> runId = call.value("--run-id");
        List<LocalRuns.LocalRun> agents = runId.map(LocalRuns::find).orElseGet(LocalRuns::find);
        if (agents.isEmpty()) {
            throw UsageException.of("--run-id", runId.orElse("not given"), EXPECTED);
        }
        if (RunFinder.names(agents).size() > 1) {
            call.out().print(json ? StatusJson.runs(agents) : StatusView.runs(agents));
            return ExitCode.SUCCEEDED.code();
        }
        return ask(
                agents,
                reply -> call.out()
                        .print(json ? StatusJson.of(reply) : StatusView.render(reply, width(call.environment()))),
                call.err());
    }

    private static int ask(List<LocalRuns.LocalRun> agents, Consumer<StatusReply> show, PrintStream err) {
        List<String> silent = new ArrayList<>();
        for (LocalRuns.LocalRun agent : agents) {
            try (ControlClient client = RunFinder.client(agent)) {
                show.accept(client.blocking(DEADLINE).status(StatusRequest.getDefaultInstance()));
                return ExitCode.SUCCEEDED.code();
            } catch (StatusRuntimeException e) {
                silent.add("elastic-run: node " + agent.file().node() + " at "
                        + agent.file().control()
                        + " did not answer within " + DEADLINE.toSeconds() + " s: "
                        + e.getStatus().getCode()
                        + Optional.ofNullable(e.getStatus().getDescription())
                                .map(text -> ": " + text)
                                .orElse(""));
            }
        }
        silent.forEach(err::println);
        return ExitCode.WORKER_FAILURE.code();
    }

    private static int width(Map<String, String> environment) {
        try {
            return Integer.parseInt(environment.getOrDefault("COLUMNS", ""));
        } catch (NumberFormatException unknown) {
            return DEFAULT_WIDTH;
        }
    }
}
