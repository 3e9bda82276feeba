/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.curve;

import java.util.Map;

/** What all trials have reported, by their numbers, as rules and searchers see it. */
@FunctionalInterface
public interface Curves {

    /** Of all trials that have begun, in the order of their numbers; not to be changed. */
    Map<Integer, Curve> byTrial();

    /** That of a trial; throws IllegalArgumentException if it has not begun. */
    default Curve of(int trial) {
        Curve curve = byTrial().get(trial);
        if (curve == null) {
            throw new IllegalArgumentException("trial: " + trial + " (expected: one that has begun)");
        }
        return curve;
    }
}
