/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.study;

import dev.elasticrun.tune.search.Observation;
import dev.elasticrun.tune.search.Searcher;
import dev.elasticrun.tune.trial.Trial;
import dev.elasticrun.tune.trial.TrialPhase;
import dev.elasticrun.tune.trial.TrialTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Which trial begins, and which agent works for which. Pure. An agent is never taken from a trial that runs: trials that lack
 * agents come first, then new ones, and when none can begin now, agents join the running trial that promises most (exploration that
 * narrows to exploitation, as in HyperSched: Liaw et al., SoCC 2019).
 */
public final class StudyPlanner {
    /** Of an agent: it works for no trial. */
    public static final int NO_TRIAL = 0;

    private final StudyLimits limits;
    private final Searcher searcher;

    public StudyPlanner(StudyLimits limits, Searcher searcher) {
        this.limits = limits;
        this.searcher = searcher;
    }

    /**
     * What follows from a state.
     *
     * @param agents live ones, and the trial that each works for, or {@link #NO_TRIAL}
     * @param isOver whether no further trial may begin, because of time for example
     */
    public List<StudyAction> next(TrialTable table, SortedMap<String, Integer> agents, boolean isOver) {
        return new Call(table, agents).next(isOver);
    }

    /** Whether nothing runs, and nothing can begin. */
    public boolean isDone(TrialTable table, boolean isOver) {
        return table.count(TrialPhase.RUNNING) == 0
                && (isOver || upcoming(table).isEmpty());
    }

    /** The parameters of the next trial; empty = none may begin. */
    private Optional<Map<String, Object>> upcoming(TrialTable table) {
        return table.begun() >= limits.trials() || table.count(TrialPhase.FAILED) >= limits.failures()
                ? Optional.empty()
                : searcher.parameters(table.begun() + 1, observations(table));
    }

    private static List<Observation> observations(TrialTable table) {
        return table.trials().stream()
                .map(trial -> new Observation(trial.parameters(), trial.curve()))
                .toList();
    }

    /** One call, with what was decided in it so far. */
    private final class Call {
        private final TrialTable table;
        private final List<StudyAction> actions = new ArrayList<>();
        private final Deque<String> free = new ArrayDeque<>();
        /** Those that have one already work for none any more. */
        private final SortedMap<String, Integer> agents;

        private final Map<Integer, Integer> counts = new HashMap<>();

        Call(TrialTable table, SortedMap<String, Integer> agents) {
            this.table = table;
            this.agents = agents;
            agents.forEach((agent, trial) -> {
                if (isRunning(trial)) {
                    counts.merge(trial, 1, Integer::sum);
                } else {
                    free.add(agent);
                }
            });
        }

        private boolean isRunning(int trial) {
            return table.trial(trial).filter(Trial::isRunning).isPresent();
        }

        List<StudyAction> next(boolean isOver) {
            table.trials().stream().filter(Trial::isRunning).forEach(trial -> fill(trial.number()));
            boolean canBegin = !isOver && begin();
            if (limits.moves() && (!canBegin || table.count(TrialPhase.RUNNING) >= limits.concurrent())) {
                move();
            }
            for (String agent : free) {
                if (agents.getOrDefault(agent, NO_TRIAL) != NO_TRIAL) {
                    actions.add(new StudyAction.Release(agent));
                }
            }
            return actions;
        }

        private void fill(int trial) {
            while (counts.getOrDefault(trial, 0) < limits.minAgents() && !free.isEmpty()) {
                assign(trial);
            }
        }

        private void assign(int trial) {
            actions.add(new StudyAction.Assign(free.remove(), trial));
            counts.merge(trial, 1, Integer::sum);
        }

        /**
         * Begins one trial at most: parameters of the next one may depend on it.
         *
         * @return whether others can begin later
         */
        private boolean begin() {
            Optional<Map<String, Object>> parameters = upcoming(table);
            if (parameters.isEmpty()) {
                return false;
            }
            if (table.count(TrialPhase.RUNNING) < limits.concurrent() && free.size() >= limits.minAgents()) {
                int number = table.begun() + 1;
                actions.add(new StudyAction.Begin(number, parameters.get()));
                fill(number);
            }
            return true;
        }

        private void move() {
            List<Integer> promising = table.trials().stream()
                    .filter(trial -> trial.isRunning() && !trial.control().stop())
                    .sorted(Comparator.comparingDouble(TrialTable::loss))
                    .map(Trial::number)
                    .toList();
            for (int trial : promising) {
                while (counts.getOrDefault(trial, 0) < limits.maxAgents() && !free.isEmpty()) {
                    assign(trial);
                }
            }
        }
    }
}
