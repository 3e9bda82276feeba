/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.ExitCode;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.Incidents;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** {@code elastic-run explain}: what happened, how we know, and what it cost, in words. */
final class ExplainCommand {
    private static final String SYNOPSIS = "explain [INCIDENT] [--run-id NAME] [--json]";

    static final Subcommand COMMAND = new Subcommand("explain", SYNOPSIS, ExplainCommand::model, ExplainCommand::run);

    private ExplainCommand() {}

    private static CommandLine model() {
        return CommandModel.subcommand(
                "explain",
                SYNOPSIS,
                "Says of each incident of a run who died and how we know, what was done and what it cost; from its agents,"
                        + " or when it has ended from the log directory.",
                "INCIDENT",
                "The number of an incident, as events and status have it. Default: all, the newest last.",
                List.of(
                        CommandModel.switchOption("Print JSON.", "--json"),
                        CommandModel.valueOption(
                                RunEvents.LOG_DIR,
                                "DIR",
                                "Read the files of a run that has ended, below DIR. Default: where agents of yours keep"
                                        + " logs.")));
    }

    private static int run(Subcommand.Call call) {
        Optional<Long> number = call.argument().map(ExplainCommand::number);
        RunEvents all = RunEvents.of(call);
        all.notes().forEach(note -> call.err().println("elastic-run: " + note));
        List<IncidentReport> reports = Incidents.of(all.events());
        List<IncidentReport> wanted = reports.stream()
                .filter(report -> number.map(one -> one == report.number()).orElse(true))
                .toList();
        if (wanted.isEmpty() && number.isPresent()) {
            throw UsageException.of(
                    "INCIDENT",
                    Long.toString(number.get()),
                    reports.isEmpty()
                            ? "none: there was no incident yet"
                            : reports.stream()
                                    .map(report -> Long.toString(report.number()))
                                    .collect(Collectors.joining(", ")));
        }
        call.out()
                .print(
                        call.has("--json")
                                ? IncidentJson.of(all.run(), wanted)
                                : IncidentView.of(wanted, ZoneId.systemDefault()));
        return ExitCode.SUCCEEDED.code();
    }

    private static long number(String text) {
        try {
            return FlagValues.number(text, "a number");
        } catch (IllegalArgumentException e) {
            throw UsageException.of("INCIDENT", text, "a number, as events and status have it");
        }
    }
}
