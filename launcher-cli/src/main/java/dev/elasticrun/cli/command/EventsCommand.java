/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.incident.EventWindow;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.client.EventFollower;
import dev.elasticrun.cli.client.RunContact;
import dev.elasticrun.cli.client.RunEvents;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.view.EventView;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import picocli.CommandLine;

/** {@code elastic-run events}: what happened on all nodes. */
final class EventsCommand {
    private static final String SYNOPSIS =
            "events [--run-id NAME] [--follow] [--node N] [--kind K] [--since T] [--format FORMAT]";
    private static final List<String> FORMATS = List.of("text", "json", "trace");

    static final Subcommand COMMAND = new Subcommand("events", SYNOPSIS, EventsCommand::model, EventsCommand::run);

    /** As many as fit into the memory of a command. */
    private static final int MAX_TRACED = 20_000;

    private EventsCommand() {}

    private static CommandLine model() {
        return CommandModel.subcommand(
                "events",
                SYNOPSIS,
                "Shows what happened on all nodes of a run, from its agents; of nodes that are gone, and when the run has"
                        + " ended, from the log directory.",
                CommandModel.switchOption("Go on with what happens from now on, until the run ends.", "-f", "--follow"),
                CommandModel.valueOption("--node", "N", "Only of nodes whose names begin so."),
                CommandModel.valueOption("--kind", "K", "Only kinds that begin so, like worker or round.decided."),
                CommandModel.valueOption(
                        "--since", "T", "Only what happened so long ago at most, like 10m, or after a time."),
                CommandModel.valueOption(
                        "--format",
                        "FORMAT",
                        "text; json: one object a line, as agents write it; trace: a file that Perfetto and"
                                + " chrome://tracing open. Default: text."),
                CommandModel.valueOption(RunEvents.LOG_DIR, "DIR", RunEvents.LOG_DIR_HELP));
    }

    private static int run(Invocation call) {
        String format = call.value("--format").orElse("text");
        if (!FORMATS.contains(format)) {
            throw UsageException.of("--format", format, String.join(", ", FORMATS));
        }
        EventFilter filter = EventFilter.of(call, Clock.systemUTC());
        if (call.has("--follow")) {
            if (format.equals("trace")) {
                throw UsageException.of("--format", "trace with --follow", "text or json with --follow");
            }
            return follow(call, filter, printer(format, call.out()));
        }
        try (RunEvents all = RunEvents.of(call)) {
            all.notes().forEach(note -> call.err().println("elastic-run: " + note));
            if (format.equals("trace")) {
                trace(call, all, filter);
            } else {
                Consumer<LoggedEvent> printer = printer(format, call.out());
                all.forEach(event -> {
                    if (filter.test(event)) {
                        printer.accept(event);
                    }
                });
            }
            return ExitCode.SUCCEEDED.code();
        } catch (RunContact.SilentException e) {
            return e.printed(call);
        }
    }

    private static void trace(Invocation call, RunEvents all, EventFilter filter) {
        Deque<LoggedEvent> newest = new ArrayDeque<>();
        long[] dropped = new long[1];
        // What an incident was is known by all events, whatever is shown of them.
        EventWindow window = ExplainCommand.window(all, Optional.empty());
        window.logsSince().ifPresent(time -> call.err()
                .println("elastic-run: " + ExplainCommand.gone(time, ZoneId.systemDefault())));
        all.forEach(event -> {
            if (filter.test(event)) {
                newest.addLast(event);
                if (newest.size() > MAX_TRACED) {
                    newest.removeFirst();
                    dropped[0]++;
                }
            }
        });
        if (dropped[0] > 0) {
            call.err()
                    .println("elastic-run: the trace has the newest " + MAX_TRACED + " events; " + dropped[0]
                            + " older ones are left out (--since, --node and --kind choose)");
        }
        TraceOutput.write(all.run(), List.copyOf(newest), window.reports(), call.out());
        call.out().println();
    }

    private static Consumer<LoggedEvent> printer(String format, PrintStream out) {
        return format.equals("json")
                ? event -> out.println(event.json())
                : event -> out.println(EventView.line(event, ZoneId.systemDefault()));
    }

    private static int follow(Invocation call, EventFilter filter, Consumer<LoggedEvent> printer) {
        try (RunContact contact = RunContact.of(call);
                EventFollower follower =
                        new EventFollower(contact, note -> call.err().println("elastic-run: " + note))) {
            follower.run(
                    event -> {
                        if (filter.test(event)) {
                            printer.accept(event);
                        }
                    },
                    call.out()::checkError);
            return ExitCode.SUCCEEDED.code();
        } catch (RunContact.SilentException e) {
            return e.printed(call);
        }
    }

    /** Which events a command is to show. */
    private static final class EventFilter implements Predicate<LoggedEvent> {
        private final Optional<String> node;
        private final Optional<String> kind;
        private final Optional<Instant> since;

        private EventFilter(Optional<String> node, Optional<String> kind, Optional<Instant> since) {
            this.node = node;
            this.kind = kind;
            this.since = since;
        }

        /** @throws UsageException when a time cannot be understood */
        static EventFilter of(Invocation call, Clock clock) {
            return new EventFilter(
                    call.value("--node"),
                    call.value("--kind"),
                    call.value("--since").map(text -> instant(text, clock)));
        }

        /** A node by the start of its name, a kind by the start of it. */
        @Override
        public boolean test(LoggedEvent event) {
            return node.map(start -> event.node().startsWith(start)).orElse(true)
                    && kind.map(start -> event.kind().startsWith(start)).orElse(true)
                    && since.map(first -> !event.time().isBefore(first)).orElse(true);
        }

        private static Instant instant(String text, Clock clock) {
            try {
                return text.contains("T")
                        ? Instant.parse(text)
                        : clock.instant().minus(SettingTexts.duration(text));
            } catch (DateTimeParseException | IllegalArgumentException e) {
                throw UsageException.of("--since", text, "how long ago, like 10m, or a time like 2026-01-31T12:00:00Z");
            }
        }
    }
}
