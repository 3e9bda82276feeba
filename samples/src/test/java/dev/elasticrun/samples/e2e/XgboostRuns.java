/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Boosted;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What tests of training with XGBoost share: how agents are started, and that the model is the one of a run that nobody
 * disturbed, to the last bit.
 */
final class XgboostRuns {
    private static final String[] METRICS = {"--param", "eval_metric=error", "--param", "eval_metric=logloss"};
    /** What runs that nobody disturbed came to, by the number of workers and of boosting rounds. */
    private static final Map<List<Integer>, Boosted> UNDISTURBED = new ConcurrentHashMap<>();

    private final TestRun run;
    private final int rounds;
    private final int nodes;
    private final int workers;
    private final List<String> options;
    private List<String> runtime = List.of("--runtime", "xgboost");
    private List<String> wrapped = List.of();

    /**
     * @param workers of each node
     * @param more options of all agents
     */
    XgboostRuns(TestRun run, int rounds, int nodes, int workers, String policy, String... more) {
        this.run = run;
        this.rounds = rounds;
        this.nodes = nodes;
        this.workers = workers;
        options = new ArrayList<>(List.of(
                "--nproc-per-node",
                Integer.toString(workers),
                "--restart-policy",
                policy,
                "--max-restarts",
                "100",
                "--rejoin-back-off",
                "0",
                "--lease-ttl",
                "10s"));
        options.addAll(nodes == 1 ? List.of() : List.of("--nnodes", nodes + ":" + nodes));
        options.addAll(List.of(more));
    }

    /** Workers run a program of the tests, which runs that of the samples. */
    XgboostRuns by(Class<?> program, String... arguments) {
        options.addAll(List.of(
                "--class-path",
                Project.ROOT.resolve("samples/target/test-classes").toString(),
                "--main-class",
                program.getName()));
        wrapped = List.of(arguments);
        return this;
    }

    /** Another runtime than that for XGBoost, by its name and where it is. */
    XgboostRuns on(String name, Path directory) {
        runtime = List.of("--runtime", name, "--policy-path", directory.toString());
        return this;
    }

    AgentProcess[] startAll() {
        return Stream.generate(this::start).limit(nodes).toArray(AgentProcess[]::new);
    }

    AgentProcess start() {
        List<String> all = nodes == 1 ? new ArrayList<>(List.of("--standalone")) : run.onEtcd();
        all.addAll(options);
        all.addAll(runtime);
        List<String> boosting = run.boosting(rounds, METRICS);
        List<String> arguments = new ArrayList<>(boosting.subList(0, 1));
        arguments.addAll(wrapped);
        arguments.addAll(boosting.subList(1, boosting.size()));
        return run.agent(all, arguments);
    }

    /** Until all have committed in one round after that one, and this boosting round was reached. */
    long awaitBoosted(int step, long after, AgentProcess... agents) {
        long round = run.awaitTogether(after, nodes * workers, agents);
        run.awaitStep(step);
        return round;
    }

    /** All ranks have one model, and with its metrics it is the one of an undisturbed run. */
    void assertAsIfNothingHadHappened(AgentProcess... agents) {
        run.hurryUp();
        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        }
        Boosted expected = undisturbed();
        assertThat(Boosted.modelsIn(outputs(agents))).hasSize(nodes * workers).containsOnly(expected.model());
        assertThat(Boosted.in(outputs(agents))).isNotEmpty().allSatisfy(boosted -> assertThat(boosted.withRoundsSeen(1))
                .isEqualTo(expected));
        awaitNoLibraries();
    }

    /** Libraries that were unpacked go with the workers, and with agents that were killed. */
    private void awaitNoLibraries() {
        Patience.until(
                "temporary files to go",
                Duration.ofSeconds(10),
                () -> libraries().isEmpty(),
                () -> libraries().toString());
    }

    private List<Path> libraries() {
        try (Stream<Path> files =
                Files.find(run.temporary(), 8, (path, info) -> path.toString().endsWith(".so"))) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (UncheckedIOException goneMeanwhile) {
            return List.of(run.temporary());
        }
    }

    private Boosted undisturbed() {
        return UNDISTURBED.computeIfAbsent(List.of(nodes * workers, rounds), key -> {
            AgentProcess agent = run.agent(
                    List.of(
                            "--standalone",
                            "--nproc-per-node",
                            "" + nodes * workers,
                            "--restart-policy",
                            "hard",
                            "--runtime",
                            "xgboost"),
                    Project.boosting(rounds, 0, METRICS));
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            return Boosted.in(outputs(agent)).get(0);
        });
    }

    private static Stream<String> outputs(AgentProcess... agents) {
        return Stream.of(agents).flatMap(agent -> agent.workerOutputs().stream());
    }
}
