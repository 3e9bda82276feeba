/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.client;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.text.PlainText;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Finds the run that a command is about, and the agents that can be asked about it. */
public final class RunFinder {
    /** For commands that look on this host only. */
    public static final String HERE = "a run that has an agent of yours on this host";
    /** For all others. */
    static final String ANYWHERE = HERE + ", or --rdzv-endpoint with the store of one elsewhere";

    private RunFinder() {}

    /**
     * Agents on this host of the run, or of the only one that has any.
     *
     * @param expected what would help if there is none
     * @param logDirectory where files of runs that have ended are looked for; asked for only if there is no agent
     * @return at least one
     * @throws UsageException when there is none, or several runs to choose from
     */
    public static List<LocalRuns.LocalRun> one(Optional<String> runId, String expected, Supplier<Path> logDirectory) {
        List<LocalRuns.LocalRun> agents = runId.map(LocalRuns::find).orElseGet(LocalRuns::find);
        List<String> runs = names(agents);
        if (runs.size() == 1) {
            return agents;
        }
        throw UsageException.of(
                "--run-id",
                runId.orElse("not given"),
                runs.isEmpty() ? whereElse(expected, runId, logDirectory.get()) : "one of " + String.join(", ", runs));
    }

    public static List<String> names(List<LocalRuns.LocalRun> agents) {
        return agents.stream()
                .map(agent -> agent.file().run())
                .distinct()
                .sorted()
                .toList();
    }

    /** What can be done when no agent of the run is here: its files stay. */
    static String whereElse(String expected, Optional<String> runId, Path logDirectory) {
        Optional<Path> files = runId.map(logDirectory::resolve)
                .filter(path -> path.startsWith(logDirectory) && Files.isDirectory(path));
        return expected + "; "
                + files.map(path -> "its files on this host are in " + path + "; " + ended(path)
                                + "elastic-run explain --run-id " + runId.orElse("") + " --log-dir " + logDirectory
                                + " reads them, and so does logs")
                        .orElse("files stay below --log-dir, by default " + logDirectory + "/RUN/NODE");
    }

    // How the run ended, by the newest of its files; empty when no file has the end.
    private static String ended(Path run) {
        StringBuilder end = new StringBuilder();
        try {
            EventFiles.merge(EventFiles.of(run), event -> {
                event.as(RunEvent.RunEnded.class).ifPresent(last -> {
                    end.setLength(0);
                    end.append("it ended: ")
                            .append(PlainText.line(last.reason()))
                            .append(" (exit code ")
                            .append(last.exitCode())
                            .append("); ");
                });
            });
        } catch (UncheckedIOException unreadable) {
            // Named all the same.
            return "";
        }
        return end.toString();
    }
}
