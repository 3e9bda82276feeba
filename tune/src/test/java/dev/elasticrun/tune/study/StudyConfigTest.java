/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.rule.AshaRule;
import dev.elasticrun.tune.rule.HyperbandRule;
import dev.elasticrun.tune.rule.MedianRule;
import dev.elasticrun.tune.rule.PatienceRule;
import dev.elasticrun.tune.rule.StoppingRule;
import dev.elasticrun.tune.search.GridSearcher;
import dev.elasticrun.tune.search.RandomSearcher;
import dev.elasticrun.tune.search.Searcher;
import dev.elasticrun.tune.search.TpeSearcher;
import dev.elasticrun.tune.space.Domain;
import dev.elasticrun.tune.space.Parameter;
import dev.elasticrun.tune.space.SearchSpace;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class StudyConfigTest {
    private static final List<Supplier<StoppingRule>> RULES = List.of(
            () -> StoppingRule.NONE,
            () -> new PatienceRule(3),
            () -> new MedianRule(2, 3, 1),
            () -> new AshaRule(1, 3),
            () -> new HyperbandRule(1, 3, 2));
    private static final List<Function<SearchSpace, Searcher>> SEARCHERS = List.of(
            space -> new RandomSearcher(space, 1),
            space -> new GridSearcher(space, 3),
            space -> new TpeSearcher(space, 1, 10));

    /** What another process makes of the same file is equal: it would not continue the study otherwise. */
    @Test
    void definition_isThatOfTheValues_notOfTheObjects() {
        for (Supplier<StoppingRule> rule : RULES) {
            for (Function<SearchSpace, Searcher> searcher : SEARCHERS) {
                String definition = config(rule.get(), searcher, 4).definition();
                assertThat(config(rule.get(), searcher, 4).definition()).isEqualTo(definition);
                assertThat(definition).as("an identity is that of a process").doesNotContain("@");
                assertThat(config(rule.get(), searcher, 5).definition()).isNotEqualTo(definition);
            }
        }
    }

    @Test
    void definition_doesNotChangeWithTheFailuresThatAreAllowed() {
        StudyConfig config = config(StoppingRule.NONE, SEARCHERS.get(0), 4);

        assertThat(config.withFailures(2).limits().failures()).isEqualTo(2);
        assertThat(config.withFailures(2).definition()).isEqualTo(config.definition());
    }

    private static StudyConfig config(StoppingRule rule, Function<SearchSpace, Searcher> searcher, int trials) {
        SearchSpace space = new SearchSpace(List.of(
                Parameter.of("eta", new Domain.LogUniform(0.01, 0.5)),
                Parameter.of("depth", new Domain.Whole(2, 10, false)),
                Parameter.of("kind", new Domain.Choice(List.of("a", "b"))),
                Parameter.of("drop", new Domain.Uniform(0, 1)).when("kind", List.of("a"))));
        return new StudyConfig(
                "s",
                new Objective("loss", Objective.Mode.MIN),
                new StudyLimits(trials, 1, 1, 2, true, trials),
                space,
                searcher.apply(space),
                rule,
                new TrialProgram("p.jar", List.of("--x"), Map.of("env", List.of("A=1")), false),
                StudyBudget.NONE);
    }
}
