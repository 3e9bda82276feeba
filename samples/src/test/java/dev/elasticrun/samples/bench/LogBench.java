/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** How fast a worker can print, with nobody who reads it, with a console, and while its log is rotated. */
final class LogBench {
    private static final int MIB = 512;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final List<String> PROGRAM = List.of(
            "sh",
            "-c",
            "yes 'a line of a log, of about as many characters as people can read' | head -c " + (MIB << 20));

    private LogBench() {}

    static String run(Path directory, int times) throws IOException {
        List<String> rows = new ArrayList<>(List.of(
                "",
                "### A worker that prints " + MIB + " MiB as fast as it can, " + times + " times",
                "",
                "| its log is | MB/s of the worker, median | worst |",
                "|---|---|---|"));
        rows.add(row(times, "a file, without an agent", () -> alone(directory)));
        rows.add(row(directory, times, "only written", List.of("--no-console")));
        rows.add(row(directory, times, "on the console, too", List.of("--tee", "3")));
        rows.add(row(directory, times, "rotated at 64 MiB", List.of("--no-console", "--log-max-size", "64m")));
        rows.add("");
        return String.join("\n", rows);
    }

    private interface Measurement {
        double rate() throws IOException;
    }

    private static String row(Path directory, int times, String what, List<String> options) throws IOException {
        return row(times, what, () -> rate(directory, options));
    }

    private static String row(int times, String what, Measurement measurement) throws IOException {
        List<Double> rates = new ArrayList<>();
        for (int time = 0; time < times; time++) {
            rates.add(measurement.rate());
        }
        rates.sort(Comparator.naturalOrder());
        return String.format(Locale.ROOT, "| %s | %.0f | %.0f |", what, rates.get(rates.size() / 2), rates.get(0));
    }

    private static double alone(Path directory) throws IOException {
        Path log = Files.createTempFile(directory, "alone-", ".log");
        try {
            long begin = System.nanoTime();
            Process process =
                    new ProcessBuilder(PROGRAM).redirectOutput(log.toFile()).start();
            process.onExit().join();
            return megabytesPerSecond(System.nanoTime() - begin);
        } finally {
            Files.delete(log);
        }
    }

    private static double megabytesPerSecond(long nanos) {
        return (double) (MIB << 20) * 1000 / (double) nanos;
    }

    private static double rate(Path directory, List<String> options) throws IOException {
        Path logs = Files.createTempDirectory(directory, "logs-");
        List<String> all = new ArrayList<>(List.of("--standalone"));
        all.addAll(options);
        try (AgentProcess agent = AgentProcess.start(logs, all, PROGRAM)) {
            int exit = agent.exitCode(LIMIT);
            if (exit != 0) {
                throw new IllegalStateException("exit code: " + exit + " (expected: 0)");
            }
            long begin = nanos(agent, "worker.started");
            long end = nanos(agent, "worker.exited");
            return megabytesPerSecond(end - begin);
        } finally {
            Project.delete(logs);
        }
    }

    private static long nanos(AgentProcess agent, String kind) {
        return agent.log().all(kind).stream()
                .mapToLong(LoggedEvent::nanos)
                .findFirst()
                .orElseThrow();
    }
}
