/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.Predictions;
import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Boosted;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The published experiment about failures in the training of XGBoost, small: four nodes with a worker each, some of which
 * are killed at half of the boosting rounds. Rounds and loading wait, so that time is spent waiting rather than computing,
 * as it is with a processor for each worker.
 */
final class ExperimentBench implements AutoCloseable {
    private static final int NODES = 4;
    private static final int ROWS = 10_000;
    private static final int HOLD_OUT = 5;
    private static final int ROUND_MILLIS = 70;
    private static final int LOAD_MILLIS = 4_000;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Path directory;
    private final String endpoint;
    private final Path rows;
    private final int rounds;
    private final Trial trial;
    private final List<AgentProcess> agents = new ArrayList<>();
    private final BoostingProgress progress = new BoostingProgress();

    private ExperimentBench(Path directory, String endpoint, Path rows, int rounds, Trial trial) {
        this.directory = directory;
        this.endpoint = endpoint;
        this.rows = rows;
        this.rounds = rounds;
        this.trial = trial;
    }

    /**
     * @param kept where outcomes are added to those of earlier calls; null = those of this call count
     * @param picture where the plot is written
     */
    static String run(
            Path directory, String endpoint, int rounds, List<Trial> trials, @Nullable Path kept, Path picture)
            throws IOException {
        Path rows = directory.resolve("hyperplane.libsvm");
        Hyperplane.write(rows, ROWS);
        List<Outcome> outcomes = new ArrayList<>();
        if (kept != null && Files.exists(kept)) {
            Files.readAllLines(kept).forEach(line -> outcomes.add(Outcome.parse(line)));
        }
        for (Trial trial : trials) {
            try (ExperimentBench bench = new ExperimentBench(directory, endpoint, rows, rounds, trial)) {
                Outcome outcome = bench.outcome();
                System.err.println(outcome.line());
                outcomes.add(outcome);
                if (kept != null) {
                    Files.writeString(
                            kept, outcome.line() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                }
            }
        }
        Experiment experiment = new Experiment(outcomes);
        Files.writeString(picture, ExperimentPlot.svg(experiment));
        return String.format(
                "%n### XGBoost: %d workers, %d rows, %d rounds of at least %d ms, loading %d ms, killed at round %d%n%n%s%n%s%n",
                NODES,
                ROWS - ROWS / HOLD_OUT,
                rounds,
                ROUND_MILLIS,
                LOAD_MILLIS,
                rounds / 2,
                experiment.table(),
                String.join("\n", experiment.verdict()));
    }

    private Outcome outcome() {
        long start = System.nanoTime();
        for (int node = 0; node < NODES; node++) {
            start(node);
        }
        watchUntil("half of the rounds", () -> progress.reached() >= rounds / 2);
        if (trial.affected() > 0) {
            progress.killed(System.nanoTime());
        }
        for (int node = 1; node <= trial.affected(); node++) {
            kill(agents.get(node));
        }
        if (trial.condition() != Trial.Condition.FEWER) {
            for (int node = 1; node <= trial.affected(); node++) {
                start(node);
            }
        }
        watchUntil("the model", () -> !Boosted.in(outputs()).isEmpty());
        double seconds = (System.nanoTime() - start) / 1e9;
        watchUntil("the end", () -> agents.stream().noneMatch(AgentProcess::isAlive));
        Predictions.Score score = Predictions.score(model(), rows, HOLD_OUT);
        return new Outcome(trial, seconds, score.logLoss(), score.error(), progress.recovery(), progress.laterPause());
    }

    /** A worker that takes a dead one's place knows whose: it loads the same rows before it joins. */
    private void start(int node) {
        List<String> options = List.of(
                "--nnodes",
                "1:" + NODES,
                "--rdzv-endpoint",
                endpoint,
                "--run-id",
                "bench-" + trial + "-" + Long.toHexString(System.identityHashCode(this)) + "-"
                        + ProcessHandle.current().pid(),
                "--restart-policy",
                "soft",
                "--last-call-timeout",
                "60s",
                "--replacement-wait",
                trial.condition() == Trial.Condition.NON_ELASTIC ? "600s" : "0s",
                "--runtime",
                "xgboost");
        List<String> program = List.of(
                "samples/target/elastic-samples.jar",
                "xgboost-train",
                "--data",
                rows.toString(),
                "--hold-out",
                Integer.toString(HOLD_OUT),
                "--shards",
                "fixed:" + NODES,
                "--node-index",
                Integer.toString(node),
                "--rounds",
                Integer.toString(rounds),
                "--param",
                "max_depth=6",
                "--param",
                "eta=0.1",
                "--model-out",
                model().toString(),
                "--round-millis",
                Integer.toString(ROUND_MILLIS),
                "--load-millis",
                Integer.toString(LOAD_MILLIS),
                "--report-every",
                "1");
        agents.add(AgentProcess.start(directory, options, program));
    }

    private Path model() {
        return directory.resolve("model.ubj");
    }

    /** The agent with its worker, as when a machine is lost. */
    private static void kill(AgentProcess agent) {
        List<ProcessHandle> workers = agent.log().running().stream()
                .map(AgentLog.Slot::pid)
                .map(agent::worker)
                .toList();
        agent.jvm().destroyForcibly();
        workers.forEach(ProcessHandle::destroyForcibly);
    }

    private void watchUntil(String awaited, BooleanSupplier condition) {
        Patience.until(
                trial + ": " + awaited,
                LIMIT,
                () -> {
                    progress.see(outputs().toList(), System.nanoTime());
                    return condition.getAsBoolean();
                },
                this::consoles);
    }

    private Stream<String> outputs() {
        return agents.stream().flatMap(agent -> agent.workerOutputs().stream());
    }

    private String consoles() {
        return String.join("\n", agents.stream().map(AgentProcess::console).toList());
    }

    @Override
    public void close() {
        agents.forEach(AgentProcess::close);
    }
}
