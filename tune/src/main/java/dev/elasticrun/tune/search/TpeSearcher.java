/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.search;

import dev.elasticrun.tune.space.Parameter;
import dev.elasticrun.tune.space.SearchSpace;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The tree-structured Parzen estimator (Bergstra et al., Algorithms for Hyper-Parameter Optimization, NIPS 2011): trials are
 * divided into good ones and others; of each parameter, values are drawn from the density of the good ones, and the one is taken
 * whose density there is largest compared with that of the others. The first trials are random. A trial that was ended early counts
 * with its best loss, so that this is the model-based part of BOHB when a rule of brackets ends trials.
 *
 * @param startup trials that are random, from 1
 */
public record TpeSearcher(SearchSpace space, long seed, int startup) implements Searcher {
    public static final int DEFAULT_STARTUP = 10;
    private static final int CANDIDATES = 24;
    /** As in the paper's successor hyperopt: the good ones are a quarter of the root of all. */
    private static final double GOOD_SHARE = 0.25;

    private static final int MOST_GOOD = 25;

    public TpeSearcher {
        if (startup < 1) {
            throw new IllegalArgumentException("startup: " + startup + " (expected: 1 or more)");
        }
    }

    @Override
    public Optional<Map<String, Object>> parameters(int trial, List<Observation> known) {
        List<Observation> judged = known.stream()
                .filter(one -> !one.curve().isEmpty())
                .sorted(Comparator.comparingDouble(one -> one.curve().best().orElseThrow()))
                .toList();
        RandomSearcher random = new RandomSearcher(space, seed);
        if (judged.size() < startup) {
            return random.parameters(trial, known);
        }
        int count = (int) Math.min(MOST_GOOD, Math.ceil(GOOD_SHARE * Math.sqrt(judged.size())));
        List<Observation> good = judged.subList(0, count);
        List<Observation> others = judged.subList(count, judged.size());
        SplittableRandom draws = random.generator(trial);
        return Optional.of(space.at(space.parameters().stream()
                .mapToDouble(parameter -> best(parameter, good, others, draws))
                .toArray()));
    }

    private static double best(
            Parameter parameter, List<Observation> good, List<Observation> others, SplittableRandom draws) {
        Density ofGood = Density.of(parameter, good);
        Density ofOthers = Density.of(parameter, others);
        double best = 0;
        double bestRatio = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < CANDIDATES; i++) {
            double position = ofGood.draw(draws);
            double ratio = Math.log(ofGood.at(position)) - Math.log(ofOthers.at(position));
            if (ratio > bestRatio) {
                bestRatio = ratio;
                best = position;
            }
        }
        return best;
    }
}
