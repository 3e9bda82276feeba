/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.tune.curve.Curve;
import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.rule.AshaRule;
import dev.elasticrun.tune.rule.StoppingRule;
import dev.elasticrun.tune.search.Searcher;
import dev.elasticrun.tune.trial.Trial;
import dev.elasticrun.tune.trial.TrialTable;
import dev.elasticrun.worker.contract.TrialFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * A study with planner, rule and table as they are, and agents and trials that are simulated: in each turn either an agent dies and
 * another one comes, or a trial that has agents enough does a step. A trial that lost all its agents begins again.
 */
final class SimulatedStudy {
    private static final int AGENTS = 5;
    private static final int STEPS = 9;
    private static final int MOST_TURNS = 100_000;

    private final SplittableRandom random;
    private final StudyLimits limits;
    private final StoppingRule rule;
    private final double death;
    private final IntPredicate fails;
    private final TrialTable table;
    private final StudyPlanner planner;
    private final SortedMap<String, Integer> agents = new TreeMap<>();
    private final Map<Integer, Long> steps = new HashMap<>();
    private final Map<Integer, Integer> ends = new HashMap<>();
    private int born;
    private int mostAgents;
    private int mostAgentsOfATrial;

    /**
     * @param death probability of a death in a turn
     * @param fails which trials fail at their first step
     */
    SimulatedStudy(
            long seed, StudyLimits limits, Searcher searcher, StoppingRule rule, double death, IntPredicate fails) {
        this.random = new SplittableRandom(seed);
        this.limits = limits;
        this.rule = rule;
        this.death = death;
        this.fails = fails;
        this.table = new TrialTable(new Objective("loss", Objective.Mode.MIN), rule);
        this.planner = new StudyPlanner(limits, searcher);
    }

    TrialTable table() {
        return table;
    }

    /** That worked at a time. */
    int mostAgents() {
        return mostAgents;
    }

    int mostAgentsOfATrial() {
        return mostAgentsOfATrial;
    }

    void run() {
        while (agents.size() < AGENTS) {
            arrive();
        }
        int turns = 0;
        while (!planner.isDone(table, false)) {
            assertThat(turns++).as("turns").isLessThan(MOST_TURNS);
            plan();
            if (random.nextDouble() < death) {
                agents.remove(pick(new ArrayList<>(agents.keySet())));
                arrive();
            } else {
                work();
            }
        }
        plan();
        assertThat(agents.values()).containsOnly(StudyPlanner.NO_TRIAL);
        assertThat(ends).hasSize(table.begun());
        assertThat(ends.values()).containsOnly(1);
    }

    private void arrive() {
        agents.put("agent-" + ++born, StudyPlanner.NO_TRIAL);
    }

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private void plan() {
        for (List<StudyAction> next = planner.next(table, agents, false);
                !next.isEmpty();
                next = planner.next(table, agents, false)) {
            next.forEach(this::carryOut);
        }
        check();
    }

    private void carryOut(StudyAction action) {
        if (action instanceof StudyAction.Begin begin) {
            assertThat(begin.trial()).isEqualTo(table.begun() + 1);
            table.begin(begin.trial(), begin.parameters());
        } else if (action instanceof StudyAction.Assign assign) {
            assertThat(agents).containsKey(assign.agent());
            assertThat(isRunning(agents.getOrDefault(assign.agent(), StudyPlanner.NO_TRIAL)))
                    .as("an agent is not taken from a trial that runs")
                    .isFalse();
            agents.put(assign.agent(), assign.trial());
        } else if (action instanceof StudyAction.Release release) {
            agents.put(release.agent(), StudyPlanner.NO_TRIAL);
        }
    }

    private boolean isRunning(int trial) {
        return table.trial(trial).filter(Trial::isRunning).isPresent();
    }

    private void check() {
        int working = 0;
        int running = 0;
        for (Trial trial : table.trials()) {
            int count = count(trial.number());
            if (trial.isRunning()) {
                running++;
                working += count;
                mostAgentsOfATrial = Math.max(mostAgentsOfATrial, count);
                assertThat(count).isLessThanOrEqualTo(limits.maxAgents());
            } else {
                assertThat(count)
                        .as("an agent works for a trial that has ended")
                        .isZero();
            }
        }
        assertThat(running).isLessThanOrEqualTo(limits.concurrent());
        assertThat(working).isLessThanOrEqualTo(AGENTS);
        mostAgents = Math.max(mostAgents, working);
    }

    private int count(int trial) {
        return (int) agents.values().stream().filter(one -> one == trial).count();
    }

    private void work() {
        List<Trial> able = table.trials().stream()
                .filter(Trial::isRunning)
                .filter(trial -> count(trial.number()) >= limits.minAgents())
                .toList();
        if (able.isEmpty()) {
            return;
        }
        Trial trial = pick(able);
        int number = trial.number();
        if (fails.test(number)) {
            end(trial, Optional.of("it fails"));
            return;
        }
        if (random.nextDouble() < death) {
            // As if its state had been lost.
            steps.put(number, 0L);
        }
        long step = steps.merge(number, 1L, Long::sum);
        TrialFiles.Report report = new TrialFiles.Report(step, Map.of("loss", random.nextDouble()));
        boolean isNew = trial.curve().newest().orElse(0) < step;
        table.report(number, report);
        if (isNew && trial.control().stop()) {
            checkThatTheBestGoesOn(trial, step);
        }
        boolean isStopped = trial.control().stop() && step >= trial.control().until();
        if (isStopped || step == STEPS) {
            end(trial, Optional.empty());
        }
    }

    private void checkThatTheBestGoesOn(Trial stopped, long step) {
        if (rule instanceof AshaRule) {
            double loss = stopped.curve().at(step).orElseThrow();
            assertThat(table.byTrial().values().stream()
                            .map((Curve other) -> other.at(step))
                            .filter(other -> other.isPresent() && other.getAsDouble() < loss))
                    .as("a better one has come to that rung")
                    .isNotEmpty();
        }
    }

    private void end(Trial trial, Optional<String> failure) {
        ends.merge(trial.number(), 1, Integer::sum);
        table.end(trial.number(), failure);
    }
}
