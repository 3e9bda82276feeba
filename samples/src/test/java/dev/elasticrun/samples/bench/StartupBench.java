/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** What an agent costs before and beside its workers: start, help, memory and processor time at rest. */
final class StartupBench {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration SETTLING = Duration.ofSeconds(20);
    private static final Duration REST = Duration.ofSeconds(10);
    /** Of {@code /proc/<pid>/stat}: user and system time are fields 14 and 15, in hundredths of a second on Linux. */
    private static final int USER_TIME = 14 - 3;

    private static final double TICKS_PER_SECOND = 100;

    private StartupBench() {}

    /** Of an agent with one worker that does nothing. */
    record Rest(double mebibytes, double corePercent) {}

    static String run(Path directory, EtcdProcess etcd, int times, boolean isEncrypted) throws IOException {
        double[] help = new double[times];
        double[] exec = new double[times];
        double[] encrypted = new double[times];
        for (int time = 0; time < times; time++) {
            help[time] = help();
            exec[time] = firstWorker(directory, List.of("--standalone"));
            if (isEncrypted) {
                encrypted[time] = firstWorker(directory, List.of("--standalone", "--tls"));
            }
        }
        Rest embedded = rest(directory, List.of("--standalone"), agent -> {});
        Rest client =
                rest(directory, List.of("--rdzv-endpoint", etcd.endpoint(), "--run-id", "bench-startup"), agent -> {});
        List<String> lines = new ArrayList<>(List.of(
                "",
                "### Start, " + times + " times",
                "",
                "| ms from the command until | median | p90 | p99 | worst | aim |",
                "|---|---|---|---|---|---|",
                Distribution.of(exec).row("first worker's process (`--standalone`, hard)", times) + " 350 |",
                Distribution.of(help).row("end of `--help`", times) + " 100 |",
                "",
                "### At rest, with one worker that sleeps, over " + REST.toSeconds() + " s",
                "",
                "| agent | resident MiB | aim | % of a core | aim |",
                "|---|---|---|---|---|"));
        if (isEncrypted) {
            lines.add(5, Distribution.of(encrypted).row("the same with `--tls`", times) + " |");
        }
        lines.add(row("with the embedded store", embedded, 100));
        lines.add(row("with an etcd", client, 80));
        lines.add("");
        return String.join("\n", lines);
    }

    private static String row(String name, Rest rest, int aim) {
        return String.format(
                Locale.ROOT, "| %s | %.0f | %d | %.2f | 0.2 |", name, rest.mebibytes(), aim, rest.corePercent());
    }

    private static double help() {
        long start = System.nanoTime();
        try {
            Process process = new ProcessBuilder(Project.LAUNCHER.toString(), "--help")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (process.waitFor() != 0) {
                throw new IllegalStateException("--help: exit code " + process.exitValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return (System.nanoTime() - start) / 1e6;
    }

    static double firstWorker(Path directory, List<String> options) {
        long start = System.nanoTime();
        try (AgentProcess agent = AgentProcess.start(directory, options, List.of("true"))) {
            if (agent.exitCode(LIMIT) != 0) {
                throw new IllegalStateException(agent.console());
            }
            LoggedEvent started = agent.log().after(start, "worker.started").get(0);
            return (started.nanos() - start) / 1e6;
        }
    }

    /** @param beside begins what goes on until the agent ends */
    static Rest rest(Path directory, List<String> options, Consumer<AgentProcess> beside) throws IOException {
        try (AgentProcess agent = AgentProcess.start(directory, options, List.of("sleep", "600"))) {
            agent.await("worker", LIMIT, log -> !log.running().isEmpty());
            beside.accept(agent);
            Patience.pause(SETTLING);
            long pid = agent.jvm().pid();
            double before = processorSeconds(pid);
            Patience.pause(REST);
            double used = processorSeconds(pid) - before;
            Rest rest = new Rest(residentMebibytes(pid), 100 * used / REST.toSeconds());
            agent.signal("TERM");
            agent.exitCode(LIMIT);
            return rest;
        }
    }

    private static double residentMebibytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024.0)
                .findFirst()
                .orElseThrow();
    }

    private static double processorSeconds(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1])) / TICKS_PER_SECOND;
    }
}
