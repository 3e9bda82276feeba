/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.runs;

import dev.elasticrun.agent.RemoteRuns;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The runs of a store. */
public final class StoreRuns {
    private StoreRuns() {}

    /**
     * Those that have nodes, and for ten minutes those that have ended.
     *
     * @throws dev.elasticrun.agent.launch.LaunchConfigException when the store cannot be read
     */
    public static List<RunSummary> of(RemoteRuns.Wanted store) {
        return RemoteRuns.list(store).stream().map(StoreRuns::summary).toList();
    }

    static RunSummary summary(RemoteRuns.ListedRun run) {
        return new RunSummary(
                run.run(),
                Optional.empty(),
                run.end()
                        .map(end -> end.succeeded() ? RunSummary.State.SUCCEEDED : RunSummary.State.FAILED)
                        .orElse(run.nodes().isEmpty() ? RunSummary.State.LEFT : RunSummary.State.RUNNING),
                new RunSummary.Span(
                        Optional.empty(),
                        Optional.empty(),
                        run.end().map(RemoteRuns.ListedEnd::reason).orElse(""),
                        run.end().map(RemoteRuns.ListedEnd::exitCode).orElse(-1)),
                new TreeSet<>(run.nodes()),
                run.policy(),
                new RunSummary.Work(run.round(), run.worldSize(), 0, 0, 0));
    }
}
