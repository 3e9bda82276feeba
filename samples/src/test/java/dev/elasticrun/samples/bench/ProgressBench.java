/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.AgentProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What a worker pays for each sign of progress that it gives, beside an agent that looks at them. */
final class ProgressBench {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private ProgressBench() {}

    static String run(Path directory, int times) throws IOException {
        List<String> program = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ProgressBenchWorker.class.getName(),
                Integer.toString(times));
        try (AgentProcess agent = AgentProcess.start(
                Files.createTempDirectory(directory, "progress-"), List.of("--standalone", "--no-console"), program)) {
            int exit = agent.exitCode(LIMIT);
            if (exit != 0) {
                throw new IllegalStateException("exit code: " + exit + " (expected: 0); " + agent.everything());
            }
            String output = agent.workerOutput(0, 0);
            return String.join(
                    "\n",
                    List.of(
                            "",
                            "### A sign of progress, ten million of each, " + times + " times",
                            "",
                            "| ns a call | median | best | worst | aim |",
                            "|---|---|---|---|---|",
                            row("`ElasticRuntime.progress(step)`", output, "progress "),
                            row("`ElasticRuntime.section(name)` and its end", output, "section "),
                            ""));
        }
    }

    private static String row(String name, String output, String prefix) {
        List<Double> nanos = output.lines()
                .filter(line -> line.startsWith(prefix))
                .map(line -> Double.valueOf(line.substring(prefix.length())))
                .sorted()
                .toList();
        return String.format(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %.0f | 50 |",
                name,
                nanos.get(nanos.size() / 2),
                nanos.get(0),
                nanos.get(nanos.size() - 1));
    }
}
