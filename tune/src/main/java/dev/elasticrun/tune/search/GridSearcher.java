/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.search;

import dev.elasticrun.tune.space.SearchSpace;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All combinations of a grid, in their order. */
public final class GridSearcher implements Searcher {
    private final List<Map<String, Object>> grid;

    /** @param points how many values of a parameter that has more, from 2 */
    public GridSearcher(SearchSpace space, int points) {
        if (points < 2) {
            throw new IllegalArgumentException("points: " + points + " (expected: 2 or more)");
        }
        this.grid = space.grid(points);
    }

    public int size() {
        return grid.size();
    }

    @Override
    public Optional<Map<String, Object>> parameters(int trial, List<Observation> known) {
        return trial > grid.size() ? Optional.empty() : Optional.of(grid.get(trial - 1));
    }

    @Override
    public String toString() {
        return "GridSearcher" + grid;
    }
}
