/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.tune.rule.AshaRule;
import dev.elasticrun.tune.rule.HyperbandRule;
import dev.elasticrun.tune.rule.MedianRule;
import dev.elasticrun.tune.rule.StoppingRule;
import dev.elasticrun.tune.search.RandomSearcher;
import dev.elasticrun.tune.space.Domain;
import dev.elasticrun.tune.space.Parameter;
import dev.elasticrun.tune.space.SearchSpace;
import dev.elasticrun.tune.trial.TrialPhase;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Thousands of studies whose agents die and come, without time: {@link SimulatedStudy} checks what must always hold. */
@Tag("once")
class StudySimTest {
    private static final int SEEDS = 1000;
    private static final SearchSpace SPACE = new SearchSpace(List.of(Parameter.of("x", new Domain.Uniform(0, 1))));

    static List<StoppingRule> rules() {
        return List.of(StoppingRule.NONE, new AshaRule(1, 3), new HyperbandRule(1, 2, 3), new MedianRule(2, 2, 1));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void everyTrialEndsOnce_whoeverDies(StoppingRule rule) {
        for (int seed = 0; seed < SEEDS; seed++) {
            SimulatedStudy study = study(seed, rule, 0.02);
            study.run();

            assertThat(study.table().begun()).as("seed %d", seed).isEqualTo(15);
            assertThat(study.table().count(TrialPhase.COMPLETED))
                    .as("seed %d", seed)
                    .isPositive();
        }
    }

    @Test
    void withoutDeaths_agentsThatMove_leaveTheDecisionsAsTheyAre() {
        for (int seed = 0; seed < 100; seed++) {
            SimulatedStudy study = study(seed, new AshaRule(1, 3), 0);
            study.run();
            long stopped = study.table().count(TrialPhase.STOPPED);
            assertThat(stopped + study.table().count(TrialPhase.COMPLETED)).isEqualTo(15);
            assertThat(stopped).isPositive();
        }
    }

    @Test
    void failures_endTheStudyAtItsLimit() {
        StudyLimits limits = new StudyLimits(100, 2, 1, 1, true, 5);
        SimulatedStudy study =
                new SimulatedStudy(3, limits, new RandomSearcher(SPACE, 3), StoppingRule.NONE, 0, trial -> true);
        study.run();

        assertThat(study.table().begun()).isBetween(5, 6);
        assertThat(study.table().count(TrialPhase.FAILED))
                .isEqualTo(study.table().begun());
    }

    private static SimulatedStudy study(int seed, StoppingRule rule, double death) {
        int least = 1 + seed % 2;
        StudyLimits limits = new StudyLimits(15, 1 + seed % 4, least, least + seed % 3, seed % 5 != 0, 15);
        return new SimulatedStudy(seed, limits, new RandomSearcher(SPACE, seed), rule, death, trial -> false);
    }

    @Test
    void grownStudy_usesAllItsAgents_whenNothingMoreCanBegin() {
        StudyLimits limits = new StudyLimits(1, 1, 1, 4, true, 1);
        SimulatedStudy study =
                new SimulatedStudy(1, limits, new RandomSearcher(SPACE, 1), StoppingRule.NONE, 0, trial -> false);
        study.run();

        assertThat(study.mostAgentsOfATrial()).isEqualTo(4);
        assertThat(study.mostAgents()).as("the fifth has nothing to do").isEqualTo(4);
    }
}
