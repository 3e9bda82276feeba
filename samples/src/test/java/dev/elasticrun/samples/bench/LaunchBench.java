/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.Project;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** From the command to all workers' first all-reduce: one agent with four workers and the store inside. */
final class LaunchBench {
    private static final int WORKERS = 4;
    private static final int STEPS = 20;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private LaunchBench() {}

    /** Milliseconds since the command; NaN where the log does not have it. */
    private record Launch(
            double started, double ready, double sealed, double published, double resumed, double ended) {}

    static String run(Path directory, int times) {
        List<String> options =
                List.of("--standalone", "--nproc-per-node", Integer.toString(WORKERS), "--restart-policy", "soft");
        List<String> program = Project.training(STEPS, 0);
        List<Launch> launches = new ArrayList<>();
        for (int time = 0; time < times; time++) {
            launches.add(launch(directory, options, program));
        }
        return String.join(
                "\n",
                "",
                "`elastic-run " + String.join(" ", options) + " " + String.join(" ", program) + "`",
                "",
                "### Launch, " + times + " times",
                "",
                "| ms from the command until | median | p90 | p99 | worst |",
                "|---|---|---|---|---|",
                Recovery.column(launches.stream().map(Launch::started)).row("last worker process started", times),
                Recovery.column(launches.stream().map(Launch::ready)).row("last worker ready", times),
                Recovery.column(launches.stream().map(Launch::sealed)).row("round sealed", times),
                Recovery.column(launches.stream().map(Launch::published))
                        .row("WORK published to the last worker", times),
                Recovery.column(launches.stream().map(Launch::resumed))
                        .row("**last worker's first all-reduce**", times),
                Recovery.column(launches.stream().map(Launch::ended)).row("end of a run of " + STEPS + " steps", times),
                "");
    }

    private static Launch launch(Path directory, List<String> options, List<String> program) {
        long start = System.nanoTime();
        try (AgentProcess agent = AgentProcess.start(directory, options, program)) {
            int exit = agent.exitCode(LIMIT);
            long end = System.nanoTime();
            if (exit != 0) {
                throw new IllegalStateException("exit code: " + exit + " (expected: 0); " + agent.console());
            }
            AgentLog log = agent.log();
            List<LoggedEvent> resumed = log.after(start, "worker.resumed");
            if (resumed.size() < WORKERS) {
                throw new IllegalStateException(
                        "workers that resumed: " + resumed.size() + " (expected: " + WORKERS + "); " + agent.console());
            }
            return new Launch(
                    last(log, start, "worker.started"),
                    last(log, start, "worker.ready"),
                    last(log, start, "round.sealed"),
                    last(log, start, "work.published"),
                    resumed.stream()
                            .mapToDouble(event -> (AgentLog.workerNanos(event) - start) / 1e6)
                            .max()
                            .orElse(Double.NaN),
                    (end - start) / 1e6);
        }
    }

    private static double last(AgentLog log, long start, String kind) {
        return Recovery.since(
                start,
                log.after(start, kind).stream().mapToLong(LoggedEvent::nanos).max());
    }
}
