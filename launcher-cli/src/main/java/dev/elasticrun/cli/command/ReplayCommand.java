/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.decisions.DecisionLine;
import dev.elasticrun.agent.decisions.Replay;
import dev.elasticrun.agent.decisions.Replayed;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.client.RunContact;
import dev.elasticrun.cli.client.RunDecisions;
import dev.elasticrun.cli.client.RunEvents;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.view.ReplayJson;
import dev.elasticrun.cli.view.ReplayView;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** {@code elastic-run replay}: makes the recorded decisions of an incident again, and shows where they differ. */
final class ReplayCommand {
    private static final String SYNOPSIS = "replay [INCIDENT] [--run-id NAME] [--policy NAME] [--format FORMAT]";
    private static final String POLICY = "--policy";
    private static final List<String> FORMATS = List.of("text", "json");
    private static final int MAX_LISTED = 40;

    /** At least one decision differs. */
    private static final int DIFFERS = 1;

    static final Subcommand COMMAND = new Subcommand("replay", SYNOPSIS, ReplayCommand::model, ReplayCommand::run);

    private ReplayCommand() {}

    private static CommandLine model() {
        return CommandModel.subcommand(
                "replay",
                SYNOPSIS,
                "Makes the decisions of an incident again, from what the coordinator knew, by the rules and the policy of"
                        + " this version, and shows where they differ. Exit code 0 when all are the same, 1 when one"
                        + " differs.",
                "INCIDENT",
                "The number of an incident, as explain has it. Default: the newest.",
                List.of(
                        CommandModel.valueOption(
                                POLICY,
                                "NAME",
                                "By this restart policy, or that of this class, instead of the one that decided; one of your own"
                                        + " is found by --policy-path."),
                        CommandModel.valueOption("--format", "FORMAT", "text or json. Default: text."),
                        CommandModel.valueOption(RunEvents.LOG_DIR, "DIR", RunEvents.LOG_DIR_HELP)));
    }

    private static int run(Invocation call) {
        String format = call.value("--format").orElse("text");
        if (!FORMATS.contains(format)) {
            throw UsageException.of("--format", format, String.join(" or ", FORMATS));
        }
        try (RunDecisions all = RunDecisions.of(call)) {
            Replay replay = Replay.of(POLICY, call.value(POLICY), policyPath(call));
            all.notes().forEach(note -> call.err().println("elastic-run: " + note));
            long incident = incident(call, all.incidents());
            List<DecisionLine> recorded = all.of(incident);
            List<Replayed> replayed = recorded.stream().map(replay::run).toList();
            call.out()
                    .print(
                            format.equals("json")
                                    ? ReplayJson.of(all.run(), incident, replayed)
                                    : ReplayView.of(incident, replayed, ZoneId.systemDefault()));
            return replayed.stream().allMatch(Replayed::isSame) ? ExitCode.SUCCEEDED.code() : DIFFERS;
        } catch (IllegalArgumentException e) {
            throw new UsageException(List.of(String.valueOf(e.getMessage())));
        } catch (RunContact.SilentException e) {
            return e.printed(call);
        }
    }

    private static String policyPath(Invocation call) {
        return call.value(Settings.POLICY_PATH.option())
                .or(() -> Optional.ofNullable(
                        call.environment().get(Settings.POLICY_PATH.variables().get(0))))
                .orElse("");
    }

    private static long incident(Invocation call, SortedSet<Long> recorded) {
        String given = call.argument().orElse("");
        long wanted = given.isEmpty() ? 0 : number(given);
        if (given.isEmpty() && !recorded.isEmpty()) {
            return recorded.last();
        } else if (!recorded.contains(wanted)) {
            throw UsageException.of("INCIDENT", given.isEmpty() ? "not given" : given, expected(recorded));
        }
        return wanted;
    }

    private static String expected(SortedSet<Long> recorded) {
        if (recorded.isEmpty()) {
            return "one of which decisions are recorded, but there are none here: they are in the logs of the nodes that"
                    + " coordinated";
        }
        return recorded.size() > MAX_LISTED
                ? recorded.first() + " to " + recorded.last()
                : recorded.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static long number(String text) {
        try {
            return SettingTexts.number(text, "a number");
        } catch (IllegalArgumentException e) {
            throw UsageException.of("INCIDENT", text, "a number, as explain has it");
        }
    }
}
