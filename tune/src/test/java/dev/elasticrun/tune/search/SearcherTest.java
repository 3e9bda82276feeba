/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.tune.curve.Curve;
import dev.elasticrun.tune.space.Domain;
import dev.elasticrun.tune.space.Parameter;
import dev.elasticrun.tune.space.SearchSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SearcherTest {
    private static final int TRIALS = 60;
    private static final SearchSpace SPACE = new SearchSpace(List.of(
            Parameter.of("x", new Domain.Uniform(0, 1)),
            Parameter.of("y", new Domain.LogUniform(0.001, 1)),
            Parameter.of("kind", new Domain.Choice(List.of("a", "b", "c")))));

    private static final SearchSpace NUMBERS = new SearchSpace(
            List.of(Parameter.of("a", new Domain.Uniform(0, 1)), Parameter.of("b", new Domain.Uniform(0, 1))));

    @Test
    void random_dependsOnSeedAndTrialOnly() {
        Searcher searcher = new RandomSearcher(SPACE, 7);

        assertThat(searcher.parameters(3, List.of()))
                .isEqualTo(new RandomSearcher(SPACE, 7).parameters(3, study(searcher)));
        assertThat(IntStream.rangeClosed(1, 100)
                        .mapToObj(trial -> searcher.parameters(trial, List.of()))
                        .distinct())
                .hasSize(100);
        assertThat(IntStream.rangeClosed(1, 100)
                        .mapToObj(trial -> new RandomSearcher(NUMBERS, 7)
                                .parameters(trial, List.of())
                                .orElseThrow())
                        .flatMap(parameters -> parameters.values().stream()))
                .as("no value comes again in another trial")
                .doesNotHaveDuplicates();
        assertThat(new RandomSearcher(SPACE, 8).parameters(3, List.of()))
                .isNotEqualTo(searcher.parameters(3, List.of()));
    }

    @Test
    void grid_endsAfterItsLastCombination() {
        GridSearcher searcher = new GridSearcher(SPACE, 2);

        assertThat(searcher.size()).isEqualTo(12);
        assertThat(IntStream.rangeClosed(1, 12)
                        .mapToObj(trial -> searcher.parameters(trial, List.of()).orElseThrow())
                        .distinct())
                .hasSize(12);
        assertThat(searcher.parameters(13, List.of())).isEmpty();
    }

    @Test
    void tpe_beginsAsRandom_andFindsBetterOnes() {
        assertThat(new TpeSearcher(SPACE, 7, 10).parameters(1, List.of()))
                .isEqualTo(new RandomSearcher(SPACE, 7).parameters(1, List.of()));
        double random = medianBest(seed -> new RandomSearcher(SPACE, seed));
        double tpe = medianBest(seed -> new TpeSearcher(SPACE, seed, TpeSearcher.DEFAULT_STARTUP));

        assertThat(tpe).isLessThan(random / 2);
    }

    private static double medianBest(LongFunction<Searcher> searcher) {
        double[] bests = LongStream.range(0, 31)
                .mapToDouble(seed -> study(searcher.apply(seed)).stream()
                        .mapToDouble(one -> one.curve().best().orElseThrow())
                        .min()
                        .orElseThrow())
                .sorted()
                .toArray();
        return bests[bests.length / 2];
    }

    private static List<Observation> study(Searcher searcher) {
        List<Observation> known = new ArrayList<>();
        for (int trial = 1; trial <= TRIALS; trial++) {
            Map<String, Object> parameters = searcher.parameters(trial, known).orElseThrow();
            Curve curve = new Curve();
            curve.add(1, loss(parameters));
            known.add(new Observation(parameters, curve));
        }
        return known;
    }

    private static double loss(Map<String, Object> parameters) {
        double x = number(parameters, "x") - 0.3;
        double y = Math.log10(number(parameters, "y")) + 2;
        return x * x + y * y / 9 + ("b".equals(parameters.get("kind")) ? 0 : 0.1);
    }

    private static double number(Map<String, Object> parameters, String name) {
        return (Double) Objects.requireNonNull(parameters.get(name), name);
    }
}
