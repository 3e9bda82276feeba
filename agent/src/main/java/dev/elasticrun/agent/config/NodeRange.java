/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

/** Fewest and most nodes that work. */
public record NodeRange(int min, int max) {
    static final String EXPECTED = "N or MIN:MAX with 1 <= MIN <= MAX";

    boolean isPossible() {
        return min >= 1 && min <= max;
    }

    @Override
    public String toString() {
        return min + ":" + max;
    }
}
