/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.ExitCode;
import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.proto.StatusReply;
import io.grpc.StatusRuntimeException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import picocli.CommandLine.ParseResult;

/** {@code elastic-run status}: asks an agent of this host about the whole run. */
final class StatusCommand {
    static final String NAME = "status";
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final int DEFAULT_WIDTH = 120;
    private static final String EXPECTED =
            "a run that has an agent of yours on this host; looked below /dev/shm, $TMPDIR and /tmp";

    private StatusCommand() {}

    /** @return what the process is to exit with */
    static int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        ParseResult parsed = CommandModel.parse(CommandModel.status(), arguments);
        if (parsed.hasMatchedOption("--help")) {
            out.print(HelpPage.STATUS.text());
            return ExitCode.SUCCEEDED.code();
        }
        boolean json = parsed.hasMatchedOption("--json");
        Optional<String> runId = Optional.ofNullable(parsed.matchedOptionValue("--run-id", (String) null));
        List<LocalRuns.LocalRun> agents = runId.map(LocalRuns::find).orElseGet(LocalRuns::find);
        if (agents.isEmpty()) {
            throw UsageException.of("--run-id", runId.orElse("not given"), EXPECTED);
        }
        long runs = agents.stream().map(agent -> agent.file().run()).distinct().count();
        if (runs > 1) {
            out.print(json ? StatusJson.runs(agents) : StatusView.runs(agents));
            return ExitCode.SUCCEEDED.code();
        }
        return ask(
                agents,
                reply -> out.print(json ? StatusJson.of(reply) : StatusView.render(reply, width(environment))),
                err);
    }

    private static int ask(List<LocalRuns.LocalRun> agents, Consumer<StatusReply> show, PrintStream err) {
        List<String> silent = new ArrayList<>();
        for (LocalRuns.LocalRun agent : agents) {
            try (ControlClient client = new ControlClient(agent, DEADLINE)) {
                show.accept(client.status());
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
