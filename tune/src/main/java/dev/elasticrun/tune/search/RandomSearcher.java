/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.search;

import dev.elasticrun.tune.space.SearchSpace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Random search (Bergstra and Bengio, Random Search for Hyper-Parameter Optimization, JMLR 13, 2012). A trial's parameters
 * depend on the seed and its number only, so that studies with the same seed try the same ones, whatever else differs.
 */
public record RandomSearcher(SearchSpace space, long seed) implements Searcher {
    @Override
    public Optional<Map<String, Object>> parameters(int trial, List<Observation> known) {
        return Optional.of(space.at(generator(trial).doubles(space.size()).toArray()));
    }

    // Seeds that differ by a multiple of the generator's own step would give the same numbers, shifted.
    /** Of a trial alone. */
    SplittableRandom generator(int trial) {
        long ofStudy = new SplittableRandom(seed).nextLong();
        return new SplittableRandom(new SplittableRandom(ofStudy ^ trial).nextLong());
    }
}
