/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A run that has succeeded.
 *
 * @param runId its name
 * @param reason how it ended, in one line
 * @param results what workers handed over by {@code ElasticRuntime.result}, by rank; a rank that handed over nothing is not
 *     in it
 */
public record ElasticSparkResult(String runId, String reason, SortedMap<Integer, byte[]> results) {
    public ElasticSparkResult {
        results = Collections.unmodifiableSortedMap(new TreeMap<>(results));
    }
}
