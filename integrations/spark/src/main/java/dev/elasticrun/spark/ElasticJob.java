/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.spark.bridge.AgentEnd;
import dev.elasticrun.spark.bridge.AgentLibrary;
import dev.elasticrun.spark.bridge.Agents;
import dev.elasticrun.spark.bridge.BadLineException;
import dev.elasticrun.spark.bridge.NodeLine;
import dev.elasticrun.spark.bridge.ServedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A run of one application, from the command line of its nodes to its result. */
final class ElasticJob {
    /** Longer than agents take by default to end their workers. */
    static final Duration GRACE = Duration.ofSeconds(40);

    private static final Logger LOG = LoggerFactory.getLogger(ElasticSpark.class);
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final SparkContext context;
    private final Agents agents;

    private ElasticJob(SparkContext context) {
        this.context = context;
        this.agents = AgentLibrary.load(RunFiles.root());
    }

    /**
     * Runs it. Blocks until all agents have ended.
     *
     * @param line of one node, as the command takes it
     * @param applicationClass the line's main class if it is one of the application, whose program executors have; empty =
     *     the program is a file of the driver
     * @throws ElasticSparkException when settings are wrong, or the run fails
     */
    static ElasticSparkResult run(SparkContext context, List<String> line, String applicationClass)
            throws InterruptedException {
        return new ElasticJob(context).run(line, applicationClass);
    }

    private ElasticSparkResult run(List<String> given, String applicationClass) throws InterruptedException {
        SparkSettings settings = SparkSettings.of(context);
        List<String> whole = new ArrayList<>(logDirectory());
        whole.addAll(defaults(settings));
        whole.addAll(given);
        NodeLine line = parse(whole);
        check(settings, line.minNodes());
        warnOfTooFewExecutors(settings, line.maxNodes());
        try (RunFiles files = RunFiles.create();
                Store store = line.namesStore() ? Store.NONE : serve(whole, line.runId(), files.directory())) {
            AgentJob job = AgentJob.submit(context, line.runId(), line.maxNodes(), plan(line, applicationClass, store));
            return result(line.runId(), job.await(GRACE), job);
        } catch (IOException e) {
            throw new UncheckedIOException("no directory for a run", e);
        }
    }

    static void check(SparkSettings settings, int minNodes) {
        List<String> violations = settings.violations(minNodes);
        if (!violations.isEmpty()) {
            throw new ElasticSparkException(String.join("; ", violations));
        }
    }

    static void warnOfTooFewExecutors(SparkSettings settings, int maxNodes) {
        settings.tooFewExecutors(maxNodes, "the maximum of nodes").forEach(LOG::warn);
    }

    private NodeLine parse(List<String> whole) {
        try {
            NodeLine line = agents.parse(whole);
            // Executors have directories of their own.
            return line.withOptions(
                    line.options().subList(logDirectory().size(), line.options().size()));
        } catch (BadLineException e) {
            throw new ElasticSparkException(String.valueOf(e.getMessage()), e);
        }
    }

    // A check of a log directory makes it: here one of the driver, which Spark deletes.
    private static List<String> logDirectory() {
        return List.of("--log-dir", RunFiles.logs().toString());
    }

    /** Before the line, of whose flags the last of several counts. */
    private List<String> defaults(SparkSettings settings) {
        return List.of(
                "--engine",
                "none",
                "--once",
                "--run-id",
                context.applicationId() + "-" + NUMBER.incrementAndGet(),
                "--restart-policy",
                "soft-elastic",
                "--nproc-per-node",
                Integer.toString(settings.taskCpus()));
    }

    private AgentPlan plan(NodeLine line, String applicationClass, Store store) {
        List<String> options = new ArrayList<>(store.options());
        options.addAll(line.options());
        String name = "";
        if (applicationClass.isEmpty()) {
            Path program = Path.of(line.program());
            context.addFile(program.toAbsolutePath().toString());
            name = program.getFileName().toString();
        }
        return new AgentPlan(options, name, applicationClass, line.arguments(), store.key(), "");
    }

    private Store serve(List<String> line, String runId, Path files) {
        String host = context.getConf().get("spark.driver.host");
        try {
            String address = InetAddress.getByName(host).getHostAddress();
            ServedStore served = agents.serve(line, runId, files, address);
            return new Store(served, Files.readAllBytes(served.keyFile()));
        } catch (UnknownHostException e) {
            throw new ElasticSparkException(
                    "spark.driver.host: " + host + " (expected: an address of the driver that executors reach)", e);
        } catch (IOException | UncheckedIOException e) {
            throw new ElasticSparkException("the driver cannot serve a store at " + host + ": " + e.getMessage(), e);
        }
    }

    private static ElasticSparkResult result(String runId, List<AgentOutcome> outcomes, AgentJob job) {
        if (outcomes.isEmpty() || !outcomes.get(0).endsRun()) {
            String text = "run " + runId + " ended before it was done: ";
            throw job.failure()
                    .map(failure -> new ElasticSparkException(text + failure.getMessage(), failure))
                    .orElseGet(() -> new ElasticSparkException(text + "all its nodes left (" + left(outcomes) + ")"));
        }
        AgentOutcome best = outcomes.get(0);
        AgentEnd end = best.end();
        if (!best.succeeded()) {
            throw new ElasticSparkException("run " + runId + " failed: " + end.reason() + " (executor "
                    + best.executor() + " on " + best.host() + ", exit code " + end.exitCode() + ")"
                    + (end.report().isEmpty() ? "" : System.lineSeparator() + end.report()));
        }
        return new ElasticSparkResult(runId, end.reason(), new TreeMap<>(end.results()));
    }

    private static String left(List<AgentOutcome> outcomes) {
        return outcomes.stream()
                .map(outcome ->
                        "executor " + outcome.executor() + ": " + outcome.end().reason())
                .collect(Collectors.joining("; "));
    }

    /** The store of the driver, or none. */
    private record Store(@Nullable ServedStore served, byte[] key) implements AutoCloseable {
        static final Store NONE = new Store(null, new byte[0]);

        List<String> options() {
            return served == null
                    ? List.of()
                    : List.of("--rdzv-backend", "embedded", "--rdzv-endpoint", served.endpoint());
        }

        @Override
        public void close() {
            if (served != null) {
                served.close();
            }
        }
    }
}
