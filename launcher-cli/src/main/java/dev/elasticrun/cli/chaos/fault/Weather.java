/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.fault;

import dev.elasticrun.agent.config.SettingTexts;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a schedule is computed from.
 *
 * @param weights relative frequency by kind; at least one is positive
 * @param every mean time between two faults
 * @param length of the storm
 */
public record Weather(Map<FaultKind, Integer> weights, Duration every, Duration length, long seed) {
    /** As {@link #weightsOf} reads them. */
    public static final String DEFAULT_WEIGHTS = "worker=85,hang=5,node=5,coordinator=5";

    private static final int MOST_WEIGHT = 1_000_000;

    public Weather {
        weights = Map.copyOf(weights);
    }

    /**
     * Reads weights of kinds, as {@code --faults} takes them.
     *
     * @throws IllegalArgumentException naming only what is expected
     */
    public static Map<FaultKind, Integer> weightsOf(String text) {
        String expected = "weights of " + String.join(", ", FaultKind.texts()) + ", such as " + DEFAULT_WEIGHTS;
        Map<FaultKind, Integer> weights = new EnumMap<>(FaultKind.class);
        for (String part : text.split(",", -1)) {
            String[] pair = part.split("=", -1);
            FaultKind kind = pair.length == 2 ? FaultKind.of(pair[0]).orElse(null) : null;
            if (kind == null || weights.containsKey(kind)) {
                throw new IllegalArgumentException(expected);
            }
            int weight = SettingTexts.number(pair[1], expected);
            if (weight < 0 || weight > MOST_WEIGHT) {
                throw new IllegalArgumentException(expected);
            }
            weights.put(kind, weight);
        }
        if (weights.values().stream().mapToInt(Integer::intValue).sum() == 0) {
            throw new IllegalArgumentException("a weight above 0 for at least one kind");
        }
        return weights;
    }

    public int weight(FaultKind kind) {
        return weights.getOrDefault(kind, 0);
    }
}
