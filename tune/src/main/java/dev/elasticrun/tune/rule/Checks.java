/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.rule;

/** Of the numbers that rules are made with. */
final class Checks {
    private Checks() {}

    static void atLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + least + " or more)");
        }
    }
}
