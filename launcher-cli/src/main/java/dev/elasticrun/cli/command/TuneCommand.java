/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.LaunchOptions;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.tune.StudyQuery;
import dev.elasticrun.cli.tune.Tune;
import dev.elasticrun.cli.tune.TuneOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;

/** {@code elastic-run tune}: a study of many runs that try parameters. */
final class TuneCommand {
    static final String POOL = "--pool";
    private static final String OUTPUT = "--output";
    private static final String SYNOPSIS =
            "tune [--pool NAME] [--output DIR] [OPTIONS] [status|show|best|export|stop] FILE";

    static final Subcommand COMMAND = new Subcommand("tune", SYNOPSIS, TuneCommand::model, TuneCommand::run);

    private TuneCommand() {}

    private static CommandLine model() {
        return CommandModel.ofFile(
                "tune",
                SYNOPSIS,
                "Drives a study: runs that try parameters, each an elastic run, ended early where others promise more."
                        + " Takes the flags of a launch, which count for all trials unless the file has others. Without a"
                        + " store it serves one, and the study ends with this process; with an etcd a study that was"
                        + " interrupted is continued by the same command. Exit code 0 if a trial has a result.",
                "The study, in YAML or JSON: study, metric, space, program, and what docs/tune.md lists. Before it, what to"
                        + " do about a study that another process drives: status, show (a trial, its number after the"
                        + " file, or the best one), best, export (writes results.csv, results.json and results.html) or"
                        + " stop.",
                List.of(Settings.RDZV_ENDPOINT, Settings.RDZV_BACKEND, Settings.RUN_KEY_FILE),
                CommandModel.valueOption(
                        POOL,
                        "NAME",
                        "Use the agents of this pool, which were started by elastic-run agent. Default: agents of this"
                                + " command, on this host."),
                CommandModel.valueOption(
                        TuneOptions.MAX_FAILURES,
                        "N",
                        "Begin no trial after so many that failed, instead of what the file has. Default: the number of"
                                + " trials."),
                CommandModel.valueOption(OUTPUT, "DIR", "Where results and logs go. Default: the name of the study."));
    }

    private static int run(Invocation call) {
        List<String> words = call.arguments().matchedPositionalValue(0, List.<String>of());
        boolean asks = words.size() > 1 && StudyQuery.VERBS.contains(words.get(0));
        boolean shows = asks && words.get(0).equals(StudyQuery.SHOW);
        if (words.size() != (asks ? 2 : 1) && !(shows && words.size() == 3)) {
            throw UsageException.of(
                    "FILE",
                    words.isEmpty() ? "missing" : String.join(" ", words),
                    "the file of a study, or one of " + String.join(", ", StudyQuery.VERBS) + " and the file");
        }
        LaunchConfig launch = LaunchOptions.examined(call.arguments(), call.environment(), new ArrayList<>());
        ControlClient.prepare();
        TuneOptions options = new TuneOptions(
                words.get(asks ? 1 : 0),
                words.size() == 3 ? Optional.of(words.get(2)) : Optional.empty(),
                launch,
                call.value(POOL),
                call.value(OUTPUT).map(SettingTexts::path),
                call.value(TuneOptions.MAX_FAILURES));
        return asks
                ? StudyQuery.run(words.get(0), options, call.out(), call.err())
                : Tune.run(options, call.environment(), call.out(), call.err());
    }
}
