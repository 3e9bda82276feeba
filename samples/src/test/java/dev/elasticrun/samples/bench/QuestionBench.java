/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.Project;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Wall time of commands that ask a run, from the shell to their end, with the start of their JVM. */
final class QuestionBench {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String RUN = "bench-questions";

    private QuestionBench() {}

    static String run(Path directory, int repeats) {
        List<String> lines = new ArrayList<>(List.of(
                "",
                "### Questions to a run, " + repeats + " times each, one node with two workers",
                "",
                "| ms | median | p90 | p99 | worst |",
                "|---|---|---|---|---|"));
        try (AgentProcess agent = AgentProcess.start(
                directory,
                List.of("--standalone", "--run-id", RUN, "--nproc-per-node", "2", "--no-console"),
                List.of("sleep", "600"))) {
            agent.await("two workers", LIMIT, log -> log.running().size() == 2);
            for (List<String> command : List.of(List.of("status"), List.of("status", "--json"), List.of("explain"))) {
                lines.add(measure(command, repeats).row(String.join(" ", command), repeats));
            }
            agent.jvm().destroy();
            agent.exitCode(LIMIT);
        }
        lines.add("");
        return String.join("\n", lines);
    }

    private static Distribution measure(List<String> command, int repeats) {
        List<String> line = new ArrayList<>(List.of(Project.LAUNCHER.toString()));
        line.addAll(command);
        line.addAll(List.of("--run-id", RUN));
        double[] millis = new double[repeats];
        for (int i = 0; i < repeats; i++) {
            long start = System.nanoTime();
            Command.Result result = Command.run(Map.of(), LIMIT, line);
            millis[i] = (System.nanoTime() - start) / 1e6;
            if (result.exitCode() != 0) {
                throw new IllegalStateException(command + " ended with " + result.exitCode() + ": " + result.output());
            }
        }
        return Distribution.of(millis);
    }
}
