/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune;

import dev.elasticrun.agent.RemoteRuns;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.driver.StudyDriver;
import dev.elasticrun.tune.rule.StoppingRule;
import dev.elasticrun.tune.search.RandomSearcher;
import dev.elasticrun.tune.search.Searcher;
import dev.elasticrun.tune.space.Domain;
import dev.elasticrun.tune.space.Parameter;
import dev.elasticrun.tune.space.SearchSpace;
import dev.elasticrun.tune.study.StudyBudget;
import dev.elasticrun.tune.study.StudyConfig;
import dev.elasticrun.tune.study.StudyLimits;
import dev.elasticrun.tune.study.StudyListener;
import dev.elasticrun.tune.study.TrialProgram;
import dev.elasticrun.tune.trial.TrialTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A study that is driven from Java, with the agents of a pool.
 *
 * <pre>{@code
 * Study study = Study.builder("nightly", new Objective("eval-auc", Objective.Mode.MAX))
 *         .parameter(Parameter.of("eta", new Domain.LogUniform(0.01, 0.5)))
 *         .parameter(Parameter.of("max_depth", new Domain.Whole(2, 10, false)))
 *         .rule(new AshaRule(4, 3))
 *         .trials(40)
 *         .concurrent(4)
 *         .program("trainer.jar", List.of("--rounds", "100"))
 *         .nodes(1, 2)
 *         .build();
 * LaunchConfig pool = LaunchConfig.builder("trainer.jar")
 *         .rdzvEndpoints(List.of("etcd:2379"))
 *         .runKeyFile(Path.of("pool.key"))
 *         .unchecked();
 * TrialTable trials = study.run("nightly", pool, StudyListener.NONE);
 * System.out.println(trials.best().orElseThrow().parameters());
 * }</pre>
 *
 * <p>Immutable, and used by any thread. Agents are started by {@code elastic-run agent}.
 */
public final class Study {
    private final StudyConfig config;

    private Study(StudyConfig config) {
        this.config = config;
    }

    /**
     * Begins to describe a study.
     *
     * @param name of the study, which continues one of that name and definition
     */
    public static Builder builder(String name, Objective objective) {
        return new Builder(name, objective);
    }

    public StudyConfig config() {
        return config;
    }

    /**
     * Drives the study to its end, or continues it. Blocks.
     *
     * @param pool its name
     * @param access how the store is reached, and the pool's key; its program does not count
     * @param listener receives the progress, on the calling thread
     * @return all trials
     * @throws dev.elasticrun.agent.launch.LaunchConfigException if the store does not answer, or there is no key
     * @throws dev.elasticrun.tune.driver.StudyException if another process drives the study, or the store has another one of
     *     that name
     * @throws InterruptedException when the caller was interrupted; trials go on, and the study can be continued
     */
    public TrialTable run(String pool, LaunchConfig access, StudyListener listener) throws InterruptedException {
        LaunchConfig named = access.toBuilder().runId(pool).unchecked();
        try (RendezvousStore store = RemoteRuns.connect(new RemoteRuns.Wanted(named.values()));
                StudyDriver driver =
                        new StudyDriver(config, store, pool, key(access), listener, InstantSource.system())) {
            return driver.run();
        }
    }

    private static byte[] key(LaunchConfig access) {
        Path file = access.store()
                .runKeyFile()
                .orElseThrow(() -> new IllegalArgumentException("run-key-file: missing (expected: the pool's key)"));
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the pool's key", e);
        }
    }

    /** What to try, how, and how much of it. */
    public static final class Builder {
        private static final int DEFAULT_TRIALS = 20;

        private final String name;
        private final Objective objective;
        private final List<Parameter> parameters = new ArrayList<>();
        private final Map<String, List<String>> settings = new LinkedHashMap<>();
        private Function<SearchSpace, Searcher> searcher = space -> new RandomSearcher(space, 0);
        private StoppingRule rule = StoppingRule.NONE;
        private StudyBudget budget = StudyBudget.NONE;
        private String program = "";
        private List<String> arguments = List.of();
        private boolean isReused;
        private int trials = DEFAULT_TRIALS;
        private int concurrent = 1;
        private int minAgents = 1;
        private int maxAgents = 1;
        private int failures = Integer.MAX_VALUE;
        private boolean moves = true;

        private Builder(String name, Objective objective) {
            this.name = name;
            this.objective = objective;
        }

        public Builder parameter(Parameter parameter) {
            parameters.add(parameter);
            return this;
        }

        /** A parameter that always applies. */
        public Builder parameter(String parameter, Domain domain) {
            return parameter(Parameter.of(parameter, domain));
        }

        /** How parameters are chosen. Default: at random, with the seed 0. */
        public Builder searcher(Function<SearchSpace, Searcher> chosen) {
            searcher = chosen;
            return this;
        }

        /** When trials are ended early. Default: never. */
        public Builder rule(StoppingRule judge) {
            rule = judge;
            return this;
        }

        /** Default: {@link StudyBudget#NONE}. */
        public Builder budget(StudyBudget limit) {
            budget = limit;
            return this;
        }

        /** At most so many. Default: 20. */
        public Builder trials(int count) {
            trials = count;
            return this;
        }

        /** So many run at a time. Default: 1. */
        public Builder concurrent(int count) {
            concurrent = count;
            return this;
        }

        /** No trial begins after so many that failed. Default: all may. */
        public Builder maxFailures(int count) {
            failures = count;
            return this;
        }

        /** Agents of a trial: fewest, and most once there is nothing else for them to do. Default: 1 and 1. */
        public Builder nodes(int min, int max) {
            minAgents = min;
            maxAgents = max;
            settings.put("nnodes", List.of(min + ":" + max));
            return this;
        }

        /** Whether agents without work join the running trial that promises most. Default: they do. */
        public Builder move(boolean join) {
            moves = join;
            return this;
        }

        /** What trials run, see {@link TrialProgram}. */
        public Builder program(String file, List<String> words) {
            program = file;
            arguments = List.copyOf(words);
            return this;
        }

        /**
         * A flag of the launch of each trial, but for {@code nnodes}.
         *
         * @param flag without dashes
         * @param texts as on a command line
         */
        public Builder setting(String flag, String... texts) {
            settings.put(flag, List.of(texts));
            return this;
        }

        /**
         * A worker's process works for one trial after the other, and keeps what {@code Trial.reuse} has loaded; for jars. Without it
         * each trial has processes of its own.
         */
        public Builder reuse() {
            isReused = true;
            return this;
        }

        /** @throws IllegalArgumentException naming a value that cannot be, and what is expected */
        public Study build() {
            if (program.isEmpty()) {
                throw new IllegalArgumentException(
                        "program: missing (expected: a jar, or anything that can be executed)");
            }
            SearchSpace space = new SearchSpace(parameters);
            StudyLimits limits = new StudyLimits(trials, concurrent, minAgents, maxAgents, moves, failures);
            return new Study(new StudyConfig(
                    name,
                    objective,
                    limits,
                    space,
                    searcher.apply(space),
                    rule,
                    new TrialProgram(program, arguments, settings, isReused),
                    budget));
        }
    }
}
