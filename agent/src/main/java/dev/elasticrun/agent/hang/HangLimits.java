/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import java.time.Duration;

/**
 * Time limits of workers.
 *
 * @param floor no worker hangs that made no progress for less; zero = none is found
 * @param silence how long the whole JVM of a worker may stall in a section in which it waits for its peers
 * @param grace how long a worker may stay in such a section after its round, at least; zero = for ever
 */
public record HangLimits(Duration floor, Duration silence, Duration grace) {

    /** Whether there is anything to look for. */
    public boolean areAny() {
        return findsHangs() || findsStragglers();
    }

    boolean findsHangs() {
        return !floor.isZero();
    }

    boolean findsStragglers() {
        return !grace.isZero();
    }
}
