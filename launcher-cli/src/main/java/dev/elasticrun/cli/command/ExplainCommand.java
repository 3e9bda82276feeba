/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.incident.EventWindow;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.client.RunContact;
import dev.elasticrun.cli.client.RunEvents;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.view.IncidentJson;
import dev.elasticrun.cli.view.IncidentView;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** {@code elastic-run explain}: what happened, the evidence for it, and what it cost, as text. */
final class ExplainCommand {
    private static final String SYNOPSIS = "explain [INCIDENT] [--run-id NAME] [--json]";

    static final Subcommand COMMAND = new Subcommand("explain", SYNOPSIS, ExplainCommand::model, ExplainCommand::run);

    /** As many as fit into the memory of a command. */
    private static final int MAX_INCIDENTS = 500;

    private static final int MAX_EVENTS = 60_000;
    private static final int MAX_LISTED = 40;

    private ExplainCommand() {}

    private static CommandLine model() {
        return CommandModel.subcommand(
                "explain",
                SYNOPSIS,
                "Explains each incident of a run: who died and how we know, what was done and what it cost; from its agents,"
                        + " or when it has ended from the log directory.",
                "INCIDENT",
                "The number of an incident, as events and status have it. Default: all, the newest last.",
                List.of(
                        CommandModel.switchOption("Print JSON.", "--json"),
                        CommandModel.valueOption(RunEvents.LOG_DIR, "DIR", RunEvents.LOG_DIR_HELP)));
    }

    private static int run(Invocation call) {
        Optional<Long> number = call.argument().map(ExplainCommand::number);
        ZoneId zone = ZoneId.systemDefault();
        try (RunEvents all = RunEvents.of(call)) {
            all.notes().forEach(note -> call.err().println("elastic-run: " + note));
            EventWindow window = window(all, number);
            List<IncidentReport> wanted = window.reports().stream()
                    .filter(report -> number.map(one -> one == report.number()).orElse(true))
                    .toList();
            if (wanted.isEmpty() && number.isPresent()) {
                throw UsageException.of(
                        "INCIDENT", Long.toString(number.get()), numbers(window(all, Optional.empty())));
            }
            Optional<Instant> since = number.isEmpty() ? window.knownSince() : Optional.empty();
            if (window.floor() > 0) {
                call.err()
                        .println("elastic-run: of a long run the newest incidents are shown; explain INCIDENT shows any"
                                + " other");
            }
            window.logsSince().ifPresent(time -> call.err().println("elastic-run: " + gone(time, zone)));
            call.out()
                    .print(
                            call.has("--json")
                                    ? IncidentJson.of(all.run(), since, wanted)
                                    : IncidentView.of(wanted, since, zone));
            return ExitCode.SUCCEEDED.code();
        } catch (RunContact.SilentException e) {
            return e.printed(call);
        }
    }

    /** What logs that were rotated leave out. */
    static String gone(Instant since, ZoneId zone) {
        return "older events of some node were rotated away: what happened before " + IncidentView.time(since, zone)
                + " is not known, nor what it cost";
    }

    static EventWindow window(RunEvents all, Optional<Long> number) {
        EventWindow window = new EventWindow(MAX_INCIDENTS, MAX_EVENTS);
        all.forEach(event -> {
            if (number.isEmpty() || isNear(event.incident(), number.get())) {
                window.add(event);
            }
        });
        return window;
    }

    private static String numbers(EventWindow window) {
        List<IncidentReport> reports = window.reports();
        if (reports.isEmpty()) {
            return window.logsSince().isPresent() ? "none: events are gone" : "none: there was no incident yet";
        }
        return reports.size() > MAX_LISTED
                ? "1 to " + reports.get(reports.size() - 1).number()
                : reports.stream()
                        .map(report -> Long.toString(report.number()))
                        .distinct()
                        .collect(Collectors.joining(", "));
    }

    /** What an incident is explained by carries its number, or one beside it. */
    private static boolean isNear(long incident, long wanted) {
        return incident <= 0 || (incident >= wanted - 2 && incident <= wanted + 1);
    }

    private static long number(String text) {
        try {
            return SettingTexts.number(text, "a number");
        } catch (IllegalArgumentException e) {
            throw UsageException.of("INCIDENT", text, "a number, as events and status have it");
        }
    }
}
