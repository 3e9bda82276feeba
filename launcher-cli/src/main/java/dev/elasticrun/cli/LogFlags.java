/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfigBuilder;
import java.util.List;

/** What becomes of workers' output. */
final class LogFlags {
    private LogFlags() {}

    static final Flags.Group GROUP = new Flags.Group(
            "Logs",
            List.of(
                    Flag.of(
                                    "log-dir",
                                    "DIR",
                                    "Where logs are kept, below it by run and node."
                                            + " Default: elastic-run-UID in $TMPDIR or /tmp.",
                                    FlagKind.PATH,
                                    LaunchConfigBuilder::logDir,
                                    config -> config.logs().directory())
                            .asInTorchrun(),
                    Flag.yes(
                            "no-console",
                            "Workers' output goes to the logs only.",
                            (builder, isQuiet) -> builder.console(!isQuiet),
                            config -> !config.console().shown()),
                    Flag.ifGiven(
                                    "tee",
                                    "WHAT|RANK:WHAT,...",
                                    "What is on the console, by local rank: 0 or none, 1 or out, 2 or err, 3 or both."
                                            + " Default: err of all, and out of rank 0.",
                                    FlagKind.STREAMS,
                                    LaunchConfigBuilder::tee,
                                    config -> config.console().tee())
                            .asInTorchrun(),
                    Flag.of(
                                    "redirects",
                                    "WHAT|RANK:WHAT,...",
                                    "What is in the logs only, of what is on the console by default.",
                                    FlagKind.STREAMS,
                                    LaunchConfigBuilder::redirects,
                                    config -> config.console().redirects())
                            .orElse("0")
                            .alsoCalled("redirect")
                            .asInTorchrun(),
                    Flag.of(
                                    "log-prefix",
                                    "TEXT",
                                    "What is before each line on the console; knows ${rank}, ${local_rank},"
                                            + " ${role_name}, ${node}, ${host}, ${run_id} and ${attempt}.",
                                    FlagKind.TEXT,
                                    LaunchConfigBuilder::logPrefix,
                                    config -> config.console().prefix())
                            .orElse("[${role_name} ${rank}]:"),
                    Flag.ifAny(
                                    "local-ranks-filter",
                                    "RANK,...",
                                    "Local ranks whose output can be on the console. Default: all.",
                                    FlagKind.RANKS,
                                    LaunchConfigBuilder::localRanksFilter,
                                    config -> config.console().localRanks())
                            .asInTorchrun(),
                    Flag.ifAny(
                                    "duplicate-stdout-filters",
                                    "TEXT,...",
                                    "Lines of standard output with one of these are collected in filtered_stdout.log;"
                                            + " ',,' is a comma.",
                                    FlagKind.TEXTS,
                                    LaunchConfigBuilder::duplicateStdoutFilters,
                                    config -> config.logs().stdoutFilters())
                            .asInTorchrun(),
                    Flag.ifAny(
                                    "duplicate-stderr-filters",
                                    "TEXT,...",
                                    "The same of standard error, in filtered_stderr.log.",
                                    FlagKind.TEXTS,
                                    LaunchConfigBuilder::duplicateStderrFilters,
                                    config -> config.logs().stderrFilters())
                            .asInTorchrun(),
                    Flag.of(
                                    "log-max-size",
                                    "SIZE",
                                    "Size (500k, 64m, 1g) from which a log is rotated; 0: never.",
                                    FlagKind.SIZE,
                                    LaunchConfigBuilder::logMaxSize,
                                    config -> config.logs().maxBytes())
                            .orElse("0"),
                    Flag.of(
                                    "log-max-files",
                                    "N",
                                    "How many rotated parts of a log are kept.",
                                    FlagKind.number("1 or more"),
                                    LaunchConfigBuilder::logMaxFiles,
                                    config -> config.logs().maxFiles())
                            .orElse("10")));
}
