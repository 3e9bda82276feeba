/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.runs;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.cli.client.EventFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The runs of this user on this host. */
public final class HostRuns {
    /** The newest first; those without a time before all others. */
    private static final Comparator<RunSummary> NEWEST = Comparator.comparing(
                    (RunSummary run) -> run.span().began().orElse(Instant.MAX))
            .reversed()
            .thenComparing(RunSummary::run);

    private HostRuns() {}

    /** Those that have an agent here. Reads files. */
    public static List<RunSummary> live() {
        return sorted(liveByName().values());
    }

    /**
     * The same, and those that have files below a log directory.
     *
     * @param logDirectory need not be there
     */
    public static List<RunSummary> all(Path logDirectory) {
        Map<String, RunSummary> runs = liveByName();
        for (Path run : EventFiles.runs(logDirectory)) {
            String name = String.valueOf(run.getFileName());
            if (!runs.containsKey(name) && EventFiles.hasEvents(run)) {
                runs.put(name, of(run, false));
            }
        }
        return sorted(runs.values());
    }

    /** One that has ended, by its directory below a log directory. */
    public static RunSummary ended(Path run) {
        return of(run, false);
    }

    /** Those that have files below a log directory, wherever their agents are. */
    public static List<RunSummary> below(Path logDirectory) {
        return sorted(EventFiles.runs(logDirectory).stream()
                .filter(EventFiles::hasEvents)
                .map(run -> of(run, isLive(run)))
                .toList());
    }

    /** Whether an agent on this host writes into the directory of a run. */
    public static boolean isLive(Path run) {
        return LocalRuns.find().stream()
                .anyMatch(agent -> isSame(Path.of(agent.file().logs()), run));
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isDirectory(one) && Files.isSameFile(one, other);
        } catch (IOException gone) {
            return false;
        }
    }

    private static Map<String, RunSummary> liveByName() {
        Map<String, RunSummary> runs = new LinkedHashMap<>();
        for (LocalRuns.LocalRun agent : LocalRuns.find()) {
            Path logs = Path.of(agent.file().logs());
            boolean hasFiles = !agent.file().logs().isEmpty() && Files.isDirectory(logs);
            runs.putIfAbsent(
                    agent.file().run(),
                    hasFiles
                            ? of(logs, true)
                            : new SummaryBuilder().build(agent.file().run(), Optional.empty(), true));
        }
        return runs;
    }

    private static RunSummary of(Path run, boolean isLive) {
        SummaryBuilder builder = new SummaryBuilder();
        EventFiles.forEach(run, builder);
        return builder.build(String.valueOf(run.getFileName()), Optional.of(run), isLive);
    }

    private static List<RunSummary> sorted(Iterable<RunSummary> runs) {
        List<RunSummary> all = new ArrayList<>();
        runs.forEach(all::add);
        all.sort(NEWEST);
        return all;
    }
}
