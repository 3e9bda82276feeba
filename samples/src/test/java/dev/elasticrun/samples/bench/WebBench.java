/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the page and the metrics cost an agent: start, memory and processor time, and what a scrape takes. */
final class WebBench {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final List<String> ALONE = List.of("--standalone");
    private static final List<String> SERVING = List.of("--metrics-port", "0", "--dashboard-port", "0");
    private static final List<String> PROGRAM = List.of("sleep", "600");
    private static final int SCRAPES = 100;
    private static final int WARM_UP = 200;
    private static final int WORKERS = 8;
    private static final int NODES = 2;
    private static final int MANY_WORKERS = 32;

    private WebBench() {}

    static String run(Path directory, EtcdProcess etcd, int times) throws IOException {
        double[] without = new double[times];
        double[] with = new double[times];
        for (int time = 0; time < times; time++) {
            without[time] = StartupBench.firstWorker(directory, ALONE);
            with[time] = StartupBench.firstWorker(directory, serving(ALONE));
        }
        List<String> lines = new ArrayList<>(List.of(
                "",
                "### Page and metrics, " + times + " starts each, `--standalone` without and with `"
                        + String.join(" ", SERVING) + "`",
                "",
                "| ms from the command until | median | p90 | p99 | worst |",
                "|---|---|---|---|---|",
                Distribution.of(without).row("first worker's process, without", times),
                Distribution.of(with).row("first worker's process, with", times),
                "",
                "| agent at rest, with one worker that sleeps | resident MiB | % of a core |",
                "|---|---|---|"));
        lines.add(row("without", StartupBench.rest(directory, ALONE, agent -> {})));
        lines.add(row("with, nobody asks", StartupBench.rest(directory, serving(ALONE), agent -> {})));
        lines.add(row("with, one page is open", StartupBench.rest(directory, serving(ALONE), WebBench::look)));
        lines.addAll(
                List.of("", "| ms for a scrape of `/metrics`, after " + WARM_UP + " | median | p90 | p99 | worst |"));
        lines.addAll(List.of("|---|---|---|---|---|"));
        lines.add(scrapes(directory, 1, WORKERS, ALONE));
        lines.add(scrapes(
                directory,
                NODES,
                MANY_WORKERS,
                List.of(
                        "--rdzv-endpoint",
                        etcd.endpoint(),
                        "--run-id",
                        "bench-web",
                        "--nnodes",
                        Integer.toString(NODES))));
        lines.add("");
        return String.join("\n", lines);
    }

    private static List<String> serving(List<String> options) {
        return Stream.concat(options.stream(), SERVING.stream()).toList();
    }

    private static String row(String name, StartupBench.Rest rest) {
        return String.format(Locale.ROOT, "| %s | %.0f | %.2f |", name, rest.mebibytes(), rest.corePercent());
    }

    /** An open page, as the agent has it: its files once, and then what is live. */
    private static void look(AgentProcess agent) {
        try {
            String page = logged(agent, "dashboard");
            read(page);
            InputStream live = URI.create(page + "api/live").toURL().openStream();
            Thread reader = new Thread(
                    () -> {
                        try {
                            live.transferTo(OutputStream.nullOutputStream());
                        } catch (IOException ended) {
                            // With the agent.
                        }
                    },
                    "page");
            reader.setDaemon(true);
            reader.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String scrapes(Path directory, int nodes, int workers, List<String> options) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of("--nproc-per-node", Integer.toString(workers)));
        List<AgentProcess> agents = new ArrayList<>();
        try {
            for (int node = 0; node < nodes; node++) {
                agents.add(AgentProcess.start(directory, node == 0 ? serving(all) : all, PROGRAM));
            }
            agents.forEach(
                    agent -> agent.await("workers", LIMIT, log -> log.running().size() == workers));
            String metrics = logged(agents.get(0), "metrics");
            String page = logged(agents.get(0), "dashboard");
            double[] millis = new double[SCRAPES];
            int bytes = 0;
            for (int i = -WARM_UP; i < SCRAPES; i++) {
                long start = System.nanoTime();
                bytes = read(metrics);
                if (i >= 0) {
                    millis[i] = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start) / 1e3;
                }
            }
            String name = "%d of %d ranks on the node; %d bytes, the page's JSON %d"
                    .formatted(workers, nodes * workers, bytes, read(page + "api/run"));
            return Distribution.of(millis).row(name, SCRAPES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            agents.forEach(agent -> agent.signal("TERM"));
            agents.forEach(agent -> agent.exitCode(LIMIT));
            agents.forEach(AgentProcess::close);
        }
    }

    private static int read(String url) throws IOException {
        try (InputStream in = URI.create(url).toURL().openStream()) {
            return in.readAllBytes().length;
        }
    }

    private static String logged(AgentProcess agent, String name) {
        Pattern line = Pattern.compile(" " + name + "=(http\\S+)");
        Patience.until(
                name + " in the log", LIMIT, () -> line.matcher(agent.console()).find(), agent::console);
        Matcher found = line.matcher(agent.console());
        return found.find() ? found.group(1) : "";
    }
}
