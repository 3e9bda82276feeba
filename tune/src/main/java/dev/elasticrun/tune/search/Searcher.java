/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.search;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chooses the parameters of trials. Pure: the same number and observations give the same parameters. */
@FunctionalInterface
public interface Searcher {

    /**
     * @param trial its number, from 1
     * @param known trials that have begun, in the order of their numbers
     * @return empty when there are no more
     */
    Optional<Map<String, Object>> parameters(int trial, List<Observation> known);
}
